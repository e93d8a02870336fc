import { firstDay } from '../../warehouse/ground/dates.ts';
import { pairedFigures, type Compared } from '../../models/evaluate/paired.ts';
import type { HistoryPart, Outcome } from '../../warehouse/build/as-of.ts';
import { NothingToMeasureError } from '../errors.ts';
import { backtest, type Backtest, type BacktestDeps, type BothForecasts } from './backtest.ts';
import type { Hours } from './forecasts.ts';
import type { Scored } from './score-outcomes.ts';
import { TooLittleHistoryError } from './train-model.ts';
import { blocksOf } from './trial.ts';

/** A history as small as a new user's: its flights and the months before the cut that are known of them. */
export type SmallHistory = { name: string; months: number; part: Omit<HistoryPart, 'from'> };

/**
 * AUC of the model less that of the rate alone and of XGBoost as it comes, with the noise: the larger of that told by `blocksOf`,
 * of which an airport without dates has three in a quarter, and of that told by airline-routes.
 */
export type Lead = Record<'rate' | 'plain', Record<Hours, Compared>>;

/** What came of it; where it is too little to learn from or to measure, why. */
export type SmallBacktest = { name: string; result?: Backtest; lead?: Lead; why?: string };

/** The largest, the next after two, and some that are far from large. */
const RANKS = [0, 2, 20];
const AIRLINE_RANKS = [0, 2, 8];

/** Two airports and half a year, one airport and a year, one airline and a year, cut out of the flights before the cut. */
export function smallHistories(past: Outcome[]): SmallHistory[] {
  const airports = busiest(past, ({ origin }) => origin);
  const airlines = busiest(past, ({ carrier }) => carrier);
  const pairs = RANKS.map((rank) => airports.slice(rank, rank + 2)).filter(
    ({ length }) => length === 2,
  );
  const at = (codes: string[], ranks: number[]) => ranks.flatMap((rank) => codes[rank] ?? []);
  return [
    ...pairs.map((origins) => ({ name: origins.join(' and '), months: 6, part: { origins } })),
    ...at(airports, RANKS).map((code) => ({ name: code, months: 12, part: { origins: [code] } })),
    ...at(airlines, AIRLINE_RANKS).map((code) => ({
      name: `airline ${code}`,
      months: 12,
      part: { carriers: [code] },
    })),
  ];
}

export type SmallBacktestDeps = Omit<BacktestDeps, 'knowledgeAsOf' | 'historyBefore'> & {
  /** What was known on a day, had there only been a part of the flights. */
  knowledgeAsOf: (day: string, part: HistoryPart) => ReturnType<BacktestDeps['knowledgeAsOf']>;
};

/** A back-test of each small history: it alone is known, and its flights from the cut on are forecast. */
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
        return outcomes.filter((one) => isIn(one, part));
      },
    }).then(({ result, forecasts }) => ({ result, lead: leadOf(forecasts) }), explain);
    results.push({ name: `${name}, ${months} months`, ...outcome });
  }
  return results;
}

const START = '0001-01-01';

/** On the flights the model has a say in. */
export function leadOf({ scored, plain }: BothForecasts): Lead {
  const over = (hours: Hours, their: (row: Scored) => number | undefined) => {
    const blocks = blocksOf(scored[hours].map(({ outcome }) => outcome));
    const cases = scored[hours].flatMap((row, at) => {
      const {
        origin,
        dest,
        carrier,
        completed_count: flights,
        delayed_count: delayed,
      } = row.outcome;
      const theirs = their(row);
      if (row.ml === undefined || theirs === undefined || flights === 0) return [];
      const told = { byBlock: blocks[at] as string, byRoute: [origin, dest, carrier].join('-') };
      return { ...told, flights, delayed, ours: row.ml, theirs };
    });
    const told = (by: 'byBlock' | 'byRoute') =>
      pairedFigures(cases.map((one) => ({ ...one, cluster: one[by] }))).auc;
    const [byBlock, byRoute] = [told('byBlock'), told('byRoute')];
    return byRoute.noise > byBlock.noise || Number.isNaN(byBlock.noise) ? byRoute : byBlock;
  };
  const overPlain = (hours: Hours) => {
    const said = new Map(plain[hours].map(({ outcome, ml }) => [outcome, ml]));
    return over(hours, ({ outcome }) => said.get(outcome));
  };
  return {
    rate: byHours((hours) => over(hours, ({ rate }) => rate)),
    plain: byHours(overPlain),
  };
}

function byHours<T>(of: (hours: Hours) => T): Record<Hours, T> {
  return {
    with_dep_time: of('with_dep_time'),
    without_dep_time: of('without_dep_time'),
  };
}

/** The codes of most flights first. */
function busiest(outcomes: Outcome[], codeOf: (one: Outcome) => string): string[] {
  const counts = new Map<string, number>();
  for (const one of outcomes) {
    const code = codeOf(one);
    counts.set(code, (counts.get(code) ?? 0) + one.completed_count);
  }
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([code]) => code);
}

function isIn({ origin, carrier }: Outcome, { origins, carriers }: SmallHistory['part']): boolean {
  return (origins?.includes(origin) ?? true) && (carriers?.includes(carrier) ?? true);
}

function explain(error: unknown): { why: string } {
  if (error instanceof TooLittleHistoryError || error instanceof NothingToMeasureError) {
    return { why: error.message };
  }
  throw error;
}
