import { sum } from '../../warehouse/ground/sum.ts';
import { rankCorrelation } from '../../models/evaluate/rank-correlation.ts';
import { METHODS, type Method } from './forecasts.ts';
import type { Scored } from './score-outcomes.ts';

/**
 * How well each method ranks the airline-routes' hours that have so many flights: the rank correlation of what it says of
 * their flights on average with the share of them that was delayed or cancelled. Null where there are hardly any.
 */
export type RankRow = {
  fewest: number;
  groups: number;
  /**
   * About what a forecast would have that knew every hour's own odds: the root of that part of the spread of shares
   * which is more than the chance in so many flights that come and go singly. Null where it is none.
   */
  reach: number | null;
} & Record<Method, number | null>;

/** Flights of an airline-route's hour: with 300 its share is its own, with 60 half chance. A quarter has hardly any of 300. */
const FEWEST_FLIGHTS = [300, 100, 60];
/** Hours that make an order. */
const FEWEST_GROUPS = 20;

type Sum = { flights: number; disrupted: number } & Record<Method, number>;

/** Of the flights that were asked for with their hour, and that every method has a say in; hours of most flights first. */
export function ranksOf(scored: Scored[]): RankRow[] {
  const hours = hoursOf(scored);
  return FEWEST_FLIGHTS.map((fewest) =>
    rankRow(
      fewest,
      hours.filter(({ flights }) => flights >= fewest),
    ),
  );
}

function hoursOf(scored: Scored[]): Sum[] {
  const sums = new Map<string, Sum>();
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

function rankRow(fewest: number, groups: Sum[]): RankRow {
  const came = groups.map(({ disrupted, flights }) => disrupted / flights);
  const isOrder = groups.length >= FEWEST_GROUPS;
  const correlation = (method: Method) => {
    const said = groups.map((sum) => sum[method] / sum.flights);
    const value = isOrder ? rankCorrelation(said, came) : Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  const [linear = null, ml = null, blend = null] = METHODS.map(correlation);
  const reach = isOrder ? reachOf(groups) : null;
  return { fewest, groups: groups.length, reach, linear, ml, blend };
}

function reachOf(groups: Sum[]): number | null {
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
