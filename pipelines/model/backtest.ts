import type { Model } from '../../models/onnx/session.ts';
import type { Knowledge, Outcome } from '../../warehouse/as-of.ts';
import { NothingToMeasureError } from '../errors.ts';
import { casesOf, isMeasurable, rateOf } from './cases.ts';
import { forecast, METHODS, type ForecastDeps, type Forecasts } from './forecasts.ts';
import { measure, monthOf, type Measured } from './measure.ts';
import { curvesOf, fitSlopes } from './score-curves.ts';
import type { Scored } from './score-outcomes.ts';
import { TooLittleHistoryError } from './train.ts';

export type Backtest = Measured & {
  cut: string;
  /** Share of the flights before the cut that were delayed; what skill is measured against. */
  baseRate: number;
  /** Months of history before the cut, its own where it has days before it, and the months that were forecast. */
  trainedOn: string[];
  testedOn: string[];
  /** Flights at airports the service does not know. */
  unscored: number;
};

export type BacktestDeps = ForecastDeps & {
  /** The flights that left in `[from, until)`. */
  outcomesOf: (from: string, until: string) => Promise<Outcome[]>;
  /** XGBoost as it comes, trained on the same as the model. */
  trainPlain: (knowledge: Knowledge) => Promise<Model>;
  log: (line: string) => void;
};

/** Days before and after all flights. */
const [START, END] = ['0001-01-01', '9999-12-31'];

/**
 * Trains before the cut (`YYYY-MM-DD`), forecasts from it on, and measures. Every figure is finite: throws
 * `TooLittleHistoryError`, `HistoryMissingError` or `NothingToMeasureError` where that cannot be.
 */
export async function backtest(cut: string, deps: BacktestDeps): Promise<Backtest> {
  const past = await deps.outcomesOf(START, cut);
  if (past.length === 0) throw new TooLittleHistoryError(`the files hold no flights before ${cut}`);
  const outcomes = await deps.outcomesOf(cut, END);
  if (outcomes.length === 0) throw new NothingToMeasureError(noneFrom(cut, past));
  const baseRate = rateOf(past, `before ${cut}`);
  rateOf(outcomes, `from ${cut} on`);
  const slopes = await fitSlopes(past, cut, deps);
  const knowledge = await deps.knowledgeAsOf(cut);
  const { months } = knowledge.training;
  deps.log(`training on ${months.length} months before ${cut}`);
  const both = [...thinned(past), ...outcomes];
  const all = await forecast(knowledge, both, await deps.train(knowledge, 'model'), deps);
  const known = part(all, (day) => day < cut);
  const scored = part(all, (day) => day >= cut);
  checkEveryMethodSays(scored.with_dep_time, cut);
  const plain = await forecast(knowledge, outcomes, await deps.trainPlain(knowledge), deps);
  return {
    cut,
    baseRate,
    trainedOn: months,
    testedOn: [...new Set(outcomes.map(monthOf))].toSorted(),
    unscored: completed(outcomes) - completed(scored.with_dep_time.map(({ outcome }) => outcome)),
    ...measure({ cut, baseRate, scored, plain, curves: curvesOf(slopes, known, baseRate) }),
  };
}

/** Groups of like flights that are enough to tell the level of their scores. */
const FEW = 20_000;

/** At most that many of the groups, evenly. */
function thinned(outcomes: Outcome[]): Outcome[] {
  const step = Math.ceil(outcomes.length / FEW);
  return outcomes.filter((_, at) => at % step === 0);
}

function part(scored: Forecasts, isIn: (day: string) => boolean): Forecasts {
  const of = (rows: Scored[]) => rows.filter(({ outcome }) => isIn(outcome.flight_date));
  return {
    with_dep_time: of(scored.with_dep_time),
    without_dep_time: of(scored.without_dep_time),
  };
}

function checkEveryMethodSays(rows: Scored[], cut: string): void {
  const silent = METHODS.filter((method) => !isMeasurable(casesOf(rows, method)));
  if (silent.length === 0) return;
  throw new NothingToMeasureError(
    `${silent.join(', ')}: of the flights from ${cut} on at airports and on routes known before, none or all were delayed`,
  );
}

function noneFrom(cut: string, past: Outcome[]): string {
  const last = past.reduce((day, one) => (one.flight_date > day ? one.flight_date : day), '');
  return `the files hold no flights from ${cut} on; their last day is ${last}`;
}

function completed(outcomes: Outcome[]): number {
  return outcomes.reduce((all, { completed_count }) => all + completed_count, 0);
}
