import { sum } from '../../warehouse/ground/numbers.ts';
import { rankCorrelation } from '../../models/evaluate/rank-correlation.ts';
import { METHODS, type Method } from './forecasts.ts';
import type { ScoredOutcome } from './score-outcomes.ts';

/**
 * The quality of each method's ranking of hours of airline-routes. Only hours with at least `fewest` flights are
 * ranked. The figure is the rank correlation of two values: the mean forecast, and the share of flights that were
 * delayed or cancelled. The figure is null if too few hours have enough flights.
 */
export type RankRow = {
  fewest: number;
  groups: number;
  /**
   * Estimated correlation of a perfect forecast: the square root of the share of the variance that is not chance. Null
   * if chance explains the whole variance.
   */
  reach: number | null;
} & Record<Method, number | null>;

/**
 * Minimum numbers of flights in an hour of an airline-route. With 300 flights, the observed share is mostly signal;
 * with 60 flights, half of the observed share is chance. In a quarter of a year, an hour rarely has 300 flights.
 */
const MIN_FLIGHTS = [300, 100, 60];
/** Minimum number of hours for a correlation. */
const MIN_GROUPS = 20;

type GroupSums = { flights: number; disrupted: number } & Record<Method, number>;

/**
 * Uses only flights with an hour and a forecast of every method. Returns the rows with the highest minimum of flights
 * first.
 */
export function ranksOf(scored: ScoredOutcome[]): RankRow[] {
  const hours = hoursOf(scored);
  return MIN_FLIGHTS.map((fewest) =>
    rankRow(
      fewest,
      hours.filter(({ flights }) => flights >= fewest),
    ),
  );
}

function hoursOf(scored: ScoredOutcome[]): GroupSums[] {
  const sums = new Map<string, GroupSums>();
  for (const row of scored) {
    const { outcome, linear, blend, ml } = row;
    if (outcome.local_hour === null || ml === undefined) continue;
    const { origin, dest, carrier, local_hour: hour } = outcome;
    const key = `${origin}${dest}${carrier}${hour}`;
    const sum = sums.get(key) ?? { flights: 0, disrupted: 0, linear: 0, blend: 0, ml: 0 };
    const flights = outcome.completed_count + outcome.cancelled_count;
    sum.flights += flights;
    sum.disrupted += outcome.delayed_count + outcome.cancelled_count;
    sum.linear += flights * linear;
    sum.blend += flights * blend;
    sum.ml += flights * ml;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

function rankRow(fewest: number, groups: GroupSums[]): RankRow {
  const observedShares = groups.map(({ disrupted, flights }) => disrupted / flights);
  const hasEnoughGroups = groups.length >= MIN_GROUPS;
  const correlation = (method: Method) => {
    const forecastMeans = groups.map((sum) => sum[method] / sum.flights);
    const value = hasEnoughGroups ? rankCorrelation(forecastMeans, observedShares) : Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  const [linear = null, ml = null, blend = null] = METHODS.map(correlation);
  const reach = hasEnoughGroups ? reachOf(groups) : null;
  return { fewest, groups: groups.length, reach, linear, ml, blend };
}

function reachOf(groups: GroupSums[]): number | null {
  const shares = groups.map(({ disrupted, flights }) => disrupted / flights);
  const mean = meanOf(shares);
  const spread = meanOf(shares.map((share) => (share - mean) ** 2));
  const chance = meanOf(
    groups.map(({ disrupted, flights }) => {
      const share = disrupted / flights;
      return (share * (1 - share)) / (flights - 1);
    }),
  );
  return spread > chance ? Math.sqrt(1 - chance / spread) : null;
}

function meanOf(values: number[]): number {
  return sum(values) / values.length;
}
