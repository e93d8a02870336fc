import { expit, logit } from '../../../warehouse/ground/log-odds.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';

/** Flights of an airline-route in one month. `month` is the number of months since the year 0. */
export type RouteMonth = {
  month: number;
  carrier: string;
  origin: string;
  dest: string;
  completed: number;
  delayed: number;
};

/**
 * - `value`: how much more an airline-route is delayed than its airline and airports predict, in log-odds.
 * - `information`: the inverse of the variance that `value` has by chance.
 */
type Deviation = { value: number; information: number };

/**
 * Covariance of the deviations of the same airline-routes in two months that are `gap` months apart. `weight` grows
 * with the number of flights in both months.
 */
export type MonthPair = { gap: number; later: number; covariance: number; weight: number };

/** A record that ends at most this many months before the flight has its full weight. */
export const FRESH_MONTHS = 12;

/**
 * Variance of the true deviations. It follows from the prior strength of 107 flights. Only the weights of pairs depend
 * on this value.
 */
const VARIANCE = 0.08;
/** Limit of a deviation; larger deviations come from a handful of flights. */
const MAX_DEVIATION = 3;
/** Flights added to the actual and the expected delays of a group, so that its effect stays finite. */
const PRIOR_FLIGHTS = 5;
const ROUNDS = 12;

/** Returns every pair of months with the covariance of their deviations. */
export function monthPairs(rows: readonly RouteMonth[]): MonthPair[] {
  const months = [...Map.groupBy(rows, ({ month }) => month)]
    .toSorted(([a], [b]) => a - b)
    .map(([month, all]) => ({ month, deviations: deviationsOf(all) }));
  return months.flatMap((earlier, at) =>
    months.slice(at + 1).map((later) => ({
      gap: later.month - earlier.month,
      later: later.month,
      ...covarianceOf(earlier.deviations, later.deviations),
    })),
  );
}

function covarianceOf(first: Map<string, Deviation>, second: Map<string, Deviation>) {
  let [total, weight] = [0, 0];
  for (const [key, a] of first) {
    const b = second.get(key);
    if (!b) continue;
    const share = precision(a) * precision(b);
    total += share * a.value * b.value;
    weight += share;
  }
  return { covariance: weight === 0 ? 0 : total / weight, weight };
}

function precision({ information }: Deviation): number {
  return information / (1 + VARIANCE * information);
}

/**
 * Fits the effects of airlines and airports in a month. Returns, for each airline-route, the deviation that these
 * effects do not explain.
 */
function deviationsOf(rows: readonly RouteMonth[]): Map<string, Deviation> {
  const level = logit(sum(rows.map((row) => row.delayed)) / sum(rows.map((row) => row.completed)));
  const effects = new Map<string, number>();
  const groupsOf = ({ carrier, origin, dest }: RouteMonth) => [
    `carrier ${carrier}`,
    `origin ${origin}`,
    `dest ${dest}`,
  ];
  const rateOf = (row: RouteMonth) =>
    expit(level + sum(groupsOf(row).map((group) => effects.get(group) ?? 0)));
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of [0, 1, 2]) {
      const groups = Map.groupBy(rows, (row) => groupsOf(row)[kind] as string);
      for (const [group, members] of groups) {
        const actual = sum(members.map((row) => row.delayed)) + PRIOR_FLIGHTS;
        const expected = sum(members.map((row) => row.completed * rateOf(row))) + PRIOR_FLIGHTS;
        effects.set(group, (effects.get(group) ?? 0) + Math.log(actual / expected));
      }
    }
  }
  return new Map(
    rows.map((row) => {
      const rate = rateOf(row);
      const information = row.completed * rate * (1 - rate);
      const value = (row.delayed - row.completed * rate) / information;
      const limited = Math.max(-MAX_DEVIATION, Math.min(MAX_DEVIATION, value));
      return [row.origin + row.dest + row.carrier, { value: limited, information }];
    }),
  );
}

/** The covariance of fresh months, and the number of further months after which half of the covariance is left. */
export type AgeFit = { covariance: number; halfLifeMonths: number };

/** Fits the half-life by weighted least squares over all pairs. The half-life is at most a century. */
export function fitAge(pairs: readonly MonthPair[]): AgeFit {
  const covariance = meanCovariance(pairs.filter(({ gap }) => gap <= FRESH_MONTHS));
  const candidates = Array.from({ length: 1_200 }, (_, at) => at + 1);
  const missOf = (halfLifeMonths: number) =>
    squaredMiss(pairs, ({ gap }) => covariance * remainingShare(gap, halfLifeMonths));
  const best = candidates.reduce(
    (least, halfLifeMonths) => {
      const miss = missOf(halfLifeMonths);
      return miss < least.miss ? { halfLifeMonths, miss } : least;
    },
    { halfLifeMonths: 1, miss: Infinity },
  );
  return { covariance, halfLifeMonths: best.halfLifeMonths };
}

/** Returns the share of a record's value that is left after `gap` months. */
export function remainingShare(gap: number, halfLifeMonths: number): number {
  return 2 ** (-Math.max(0, gap - FRESH_MONTHS) / halfLifeMonths);
}

export function meanCovariance(pairs: readonly MonthPair[]): number {
  const weight = sum(pairs.map((pair) => pair.weight));
  return sum(pairs.map((pair) => pair.weight * pair.covariance)) / weight;
}

/** Returns the weighted mean of the squared differences between the covariance of each pair and its forecast. */
export function squaredMiss(
  pairs: readonly MonthPair[],
  forecast: (pair: MonthPair) => number,
): number {
  const weight = sum(pairs.map((pair) => pair.weight));
  return sum(pairs.map((pair) => pair.weight * (pair.covariance - forecast(pair)) ** 2)) / weight;
}
