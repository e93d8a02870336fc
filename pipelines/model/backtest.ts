import {
  isotonicSteps,
  probabilityAt,
  shifted,
  type Step,
} from '../../models/evaluate/isotonic.ts';
import { figuresOf, type Case, type Figures } from '../../models/evaluate/metrics.ts';
import { logit } from '../../models/log-odds.ts';
import { expectedLevel } from '../../models/train/level.ts';
import type { Model } from '../../models/onnx/session.ts';
import type { Knowledge, Outcome } from '../../warehouse/as-of.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { bandsOf, type BandRow } from './bands.ts';
import { scoreOutcomes, type Scored } from './score-outcomes.ts';
import { TooLittleHistoryError } from './train.ts';

export const METHODS = ['linear', 'ml', 'blend'] as const;
export const HOURS = ['with_dep_time', 'without_dep_time'] as const;

type Method = (typeof METHODS)[number];
type Hours = (typeof HOURS)[number];
type ByGroup = Record<string, Partial<Record<Method, Figures>>>;

export type Backtest = Record<Method, Record<Hours, Figures>> & {
  /** XGBoost as it comes, on the same rows and features. */
  reference: Record<Hours, Figures>;
  cut: string;
  /** Share of the flights before the cut that were delayed; what skill is measured against. */
  baseRate: number;
  /** Months of history before the cut, and the months that were forecast. */
  trainedOn: string[];
  testedOn: string[];
  /** Flights at airports the service does not know. */
  unscored: number;
  /** By the blend's score, without and with the hour. */
  bands: Record<Hours, BandRow[]>;
  /** With the hour: by month, tier, airline, and days from the cut. */
  by: Record<'month' | 'tier' | 'airline' | 'horizon', ByGroup>;
};

export type BacktestDeps = {
  /** What was known on a day, as far as the service would know it. */
  knowledgeAsOf: (day: string) => Promise<Knowledge>;
  /** The flights that left in `[from, until)`. */
  outcomesOf: (from: string, until: string) => Promise<Outcome[]>;
  openStore: (files: StoreFiles) => ScoreStore;
  /** A model trained on what was known. */
  train: (knowledge: Knowledge, what: string) => Promise<Model>;
  /** XGBoost as it comes, trained on the same. */
  trainPlain: (knowledge: Knowledge) => Promise<Model>;
  log: (line: string) => void;
};

/** Flights a step of a curve rests on: one of 0.15 is then known to 0.01. */
const FEWEST_FLIGHTS = 1000;

/** A day after all flights. */
const END = '9999-12-31';

/**
 * Trains before the cut (`YYYY-MM-DD`), forecasts from it on, and measures. Scores become probabilities by a rising
 * curve, which is fitted on a smaller back-test inside the training part: its last third, forecast from what came before.
 * Throws `TooLittleHistoryError` when there are no flights before the cut.
 */
export async function backtest(cut: string, deps: BacktestDeps): Promise<Backtest> {
  const knowledge = await deps.knowledgeAsOf(cut);
  const past = await deps.outcomesOf('0001-01-01', cut);
  if (past.length === 0) throw new TooLittleHistoryError(`the files hold no flights before ${cut}`);
  const maps = await curves(past, cut, deps);
  deps.log(`training on ${knowledge.training.months.length} months before ${cut}`);
  const outcomes = await deps.outcomesOf(cut, END);
  const scored = await forecast(knowledge, outcomes, await deps.train(knowledge, 'model'), deps);
  const plain = await forecast(knowledge, outcomes, await deps.trainPlain(knowledge), deps);
  const baseRate = rateOf(past);
  const figures = (rows: Scored[], method: Method, hours: Hours) =>
    figuresOf(casesOf(rows, method, maps[hours]), baseRate);
  const byHours = (method: Method, rows: Forecasts = scored) =>
    Object.fromEntries(
      HOURS.map((hours) => [hours, figures(rows[hours], method, hours)]),
    ) as Record<Hours, Figures>;
  const by = (keyOf: (row: Scored) => string): ByGroup =>
    groupFigures(scored.with_dep_time, keyOf, (rows, method) =>
      figures(rows, method, 'with_dep_time'),
    );
  return {
    cut,
    baseRate,
    trainedOn: knowledge.training.months,
    testedOn: [...new Set(outcomes.map(monthOf))].toSorted(),
    unscored: sum(outcomes) - sum(scored.with_dep_time.map(({ outcome }) => outcome)),
    linear: byHours('linear'),
    ml: byHours('ml'),
    blend: byHours('blend'),
    reference: byHours('ml', plain),
    bands: {
      with_dep_time: bandsOf(scored.with_dep_time),
      without_dep_time: bandsOf(scored.without_dep_time),
    },
    by: {
      month: by(({ outcome }) => monthOf(outcome)),
      tier: by(({ tier }) => tier),
      airline: by(({ outcome }) => outcome.carrier),
      horizon: by(({ outcome }) => horizonOf(outcome, cut)),
    },
  };
}

type Forecasts = Record<Hours, Scored[]>;
type Curves = Record<Hours, Record<'linear' | 'blend', Step[]>>;

async function forecast(
  knowledge: Knowledge,
  outcomes: Outcome[],
  model: Model,
  deps: BacktestDeps,
): Promise<Forecasts> {
  const store = deps.openStore(knowledge.store);
  try {
    return {
      with_dep_time: await scoreOutcomes(outcomes, store, model, true),
      without_dep_time: await scoreOutcomes(outcomes, store, model, false),
    };
  } finally {
    await model.close();
  }
}

/** The curves from scores to probabilities. */
async function curves(past: Outcome[], cut: string, deps: BacktestDeps): Promise<Curves> {
  const months = [...new Set(past.map(monthOf))].toSorted();
  const month = months[months.length - Math.max(1, Math.floor(months.length / 3))];
  const day = month === undefined ? cut : `${month}-01`;
  deps.log(`fitting the curves of the scores on the months from ${day} to ${cut}`);
  const recent = past.filter(({ flight_date }) => flight_date >= day);
  const knowledge = await deps.knowledgeAsOf(day);
  const scored = await forecast(knowledge, recent, await deps.train(knowledge, 'curves'), deps);
  // A few months give the curve its shape; its level is the whole history's.
  const shift = expectedLevel(rateOf(past)) - logit(rateOf(recent));
  const curve = (hours: Hours, method: 'linear' | 'blend') =>
    shifted(
      isotonicSteps(
        scored[hours].flatMap((row) => caseOf(row.outcome, row[method])),
        FEWEST_FLIGHTS,
      ),
      shift,
    );
  return {
    with_dep_time: {
      linear: curve('with_dep_time', 'linear'),
      blend: curve('with_dep_time', 'blend'),
    },
    without_dep_time: {
      linear: curve('without_dep_time', 'linear'),
      blend: curve('without_dep_time', 'blend'),
    },
  };
}

function casesOf(rows: Scored[], method: Method, maps: Curves[Hours]): Case[] {
  return rows.flatMap((row) => {
    const p = method === 'ml' ? row.ml : probabilityAt(maps[method], row[method]);
    return p === undefined ? [] : caseOf(row.outcome, p);
  });
}

function caseOf({ completed_count, delayed_count }: Outcome, p: number): Case[] {
  return completed_count === 0 ? [] : [{ p, flights: completed_count, delayed: delayed_count }];
}

function groupFigures(
  rows: Scored[],
  keyOf: (row: Scored) => string,
  figures: (rows: Scored[], method: Method) => Figures,
): ByGroup {
  const groups = Map.groupBy(rows, keyOf);
  return Object.fromEntries(
    [...groups]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, some]) => [
        key,
        Object.fromEntries(METHODS.map((method) => [method, figures(some, method)])),
      ]),
  );
}

function rateOf(outcomes: Outcome[]): number {
  let [completed, delayed] = [0, 0];
  for (const { completed_count, delayed_count } of outcomes) {
    completed += completed_count;
    delayed += delayed_count;
  }
  return delayed / completed;
}

function sum(outcomes: Outcome[]): number {
  return outcomes.reduce((all, { completed_count }) => all + completed_count, 0);
}

function monthOf({ flight_date }: Outcome): string {
  return flight_date.slice(0, 7);
}

const DAY_MS = 86_400_000;

/** Days ahead, in spans that mean something to a traveller. */
function horizonOf({ flight_date }: Outcome, cut: string): string {
  const days = (Date.parse(flight_date) - Date.parse(cut)) / DAY_MS;
  if (days < 7) return '0-6 days';
  if (days < 30) return '7-29 days';
  if (days < 90) return '30-89 days';
  return '90+ days';
}
