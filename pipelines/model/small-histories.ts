import { firstDay } from '../../warehouse/ground/dates.ts';
import { pairedFigures, type PairedFigure } from '../../models/evaluate/paired.ts';
import type { HistoryPart, Outcome } from '../../warehouse/build/as-of.ts';
import { NothingToMeasureError } from '../errors.ts';
import { backtest, type Backtest, type BacktestDeps, type BothForecasts } from './backtest.ts';
import type { Hours } from './forecasts.ts';
import type { ScoredOutcome } from './score-outcomes.ts';
import { TooLittleHistoryError } from './train-model.ts';
import { blocksOf } from './trial.ts';

/** A history as small as that of a new user: the selected flights, and the number of months before the cut. */
export type SmallHistory = { name: string; months: number; part: Omit<HistoryPart, 'from'> };

/**
 * Two differences of AUC: the model minus the airline-route's rate, and the model minus XGBoost with default settings.
 * The noise is estimated twice, over `blocksOf` and over airline-routes, and the larger estimate is used. An airport
 * without dates has only three blocks in a quarter.
 */
export type Lead = Record<'rate' | 'plain', Record<Hours, PairedFigure>>;

/** The backtest of a small history; `why` is the reason when the history is too small to train on or to measure. */
export type SmallBacktest = { name: string; result?: Backtest; lead?: Lead; why?: string };

/**
 * Ranks of the selected airports and airlines by number of flights, from 0: the largest, the third-largest, and a far
 * smaller one.
 */
const RANKS = [0, 2, 20];
const AIRLINE_RANKS = [0, 2, 8];

/**
 * Selects small histories from the flights before the cut: pairs of airports for half a year, single airports for a
 * year, and single airlines for a year.
 */
export function smallHistories(past: Outcome[]): SmallHistory[] {
  const airports = codesByTraffic(past, ({ origin }) => origin);
  const airlines = codesByTraffic(past, ({ carrier }) => carrier);
  const pairs = RANKS.map((rank) => airports.slice(rank, rank + 2)).filter(
    ({ length }) => length === 2,
  );
  const codesAt = (codes: string[], ranks: number[]) => ranks.flatMap((rank) => codes[rank] ?? []);
  return [
    ...pairs.map((origins) => ({ name: origins.join(' and '), months: 6, part: { origins } })),
    ...codesAt(airports, RANKS).map((code) => ({
      name: code,
      months: 12,
      part: { origins: [code] },
    })),
    ...codesAt(airlines, AIRLINE_RANKS).map((code) => ({
      name: `airline ${code}`,
      months: 12,
      part: { carriers: [code] },
    })),
  ];
}

export type SmallBacktestDeps = Omit<BacktestDeps, 'knowledgeAsOf' | 'historyBefore'> & {
  /** Returns the data that would be known on a day if only this part of the flights existed. */
  knowledgeAsOf: (day: string, part: HistoryPart) => ReturnType<BacktestDeps['knowledgeAsOf']>;
};

/**
 * Runs a backtest on each small history. Only this history is known before the cut, and only its flights are forecast
 * from the cut on.
 */
export async function smallBacktests(
  cut: string,
  deps: SmallBacktestDeps,
): Promise<SmallBacktest[]> {
  const results: SmallBacktest[] = [];
  for (const { name, months, part } of smallHistories(await deps.outcomesOf(START, cut))) {
    deps.log(`${name}, ${months} months`);
    const from = firstDay(cut, -months);
    const outcome = await backtest(cut, {
      ...deps,
      historyBefore: async () => [],
      knowledgeAsOf: (day) => deps.knowledgeAsOf(day, { ...part, from }),
      outcomesOf: async (since, until) => {
        const outcomes = await deps.outcomesOf(since < from ? from : since, until);
        return outcomes.filter((one) => isInPart(one, part));
      },
    }).then(({ result, forecasts }) => ({ result, lead: leadOf(forecasts) }), reasonOf);
    results.push({ name: `${name}, ${months} months`, ...outcome });
  }
  return results;
}

const START = '0001-01-01';

/** Computes the model's lead on the flights that the model forecasts. */
export function leadOf({ scored, plain }: BothForecasts): Lead {
  const leadOver = (hours: Hours, theirForecast: (row: ScoredOutcome) => number | undefined) => {
    const blocks = blocksOf(scored[hours].map(({ outcome }) => outcome));
    const cases = scored[hours].flatMap((row, at) => {
      const {
        origin,
        dest,
        carrier,
        completed_count: flights,
        delayed_count: delayed,
      } = row.outcome;
      const theirs = theirForecast(row);
      if (row.ml === undefined || theirs === undefined || flights === 0) return [];
      const clusters = {
        byBlock: blocks[at] as string,
        byRoute: [origin, dest, carrier].join('-'),
      };
      return { ...clusters, flights, delayed, ours: row.ml, theirs };
    });
    const aucBy = (by: 'byBlock' | 'byRoute') =>
      pairedFigures(cases.map((one) => ({ ...one, cluster: one[by] }))).auc;
    const [byBlock, byRoute] = [aucBy('byBlock'), aucBy('byRoute')];
    return byRoute.noise > byBlock.noise || Number.isNaN(byBlock.noise) ? byRoute : byBlock;
  };
  const leadOverPlain = (hours: Hours) => {
    const plainForecasts = new Map(plain[hours].map(({ outcome, ml }) => [outcome, ml]));
    return leadOver(hours, ({ outcome }) => plainForecasts.get(outcome));
  };
  return {
    rate: byHours((hours) => leadOver(hours, ({ rate }) => rate)),
    plain: byHours(leadOverPlain),
  };
}

function byHours<T>(compute: (hours: Hours) => T): Record<Hours, T> {
  return {
    with_dep_time: compute('with_dep_time'),
    without_dep_time: compute('without_dep_time'),
  };
}

/** Codes by number of flights, descending. */
function codesByTraffic(outcomes: Outcome[], codeOf: (one: Outcome) => string): string[] {
  const counts = new Map<string, number>();
  for (const one of outcomes) {
    const code = codeOf(one);
    counts.set(code, (counts.get(code) ?? 0) + one.completed_count);
  }
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([code]) => code);
}

function isInPart(
  { origin, carrier }: Outcome,
  { origins, carriers }: SmallHistory['part'],
): boolean {
  return (origins?.includes(origin) ?? true) && (carriers?.includes(carrier) ?? true);
}

function reasonOf(error: unknown): { why: string } {
  if (error instanceof TooLittleHistoryError || error instanceof NothingToMeasureError) {
    return { why: error.message };
  }
  throw error;
}
