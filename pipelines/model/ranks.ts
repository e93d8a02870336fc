import { rankCorrelation } from '../../models/evaluate/rank-correlation.ts';
import { METHODS, type Method } from './forecasts.ts';
import type { Scored } from './score-outcomes.ts';

/**
 * How well each method ranks airline-routes' hours: the rank correlation of what it says of their flights on average with
 * the share of them that was delayed or cancelled. Null where hardly any hour has so many flights.
 */
export type Ranks = { groups: number } & Record<Method, number | null>;

/** Flights of an airline-route's hour below which its share is mostly chance, and hours that make an order. */
const FEWEST_FLIGHTS = 300;
const FEWEST_GROUPS = 20;

type Sum = { flights: number; disrupted: number } & Record<Method, number>;

/** Of the flights that were asked for with their hour, and that every method has a say in. */
export function ranksOf(scored: Scored[]): Ranks {
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
  const groups = [...sums.values()].filter(({ flights }) => flights >= FEWEST_FLIGHTS);
  const came = groups.map(({ disrupted, flights }) => disrupted / flights);
  const correlation = (method: Method) => {
    const said = groups.map((sum) => sum[method] / sum.flights);
    const value = groups.length < FEWEST_GROUPS ? Number.NaN : rankCorrelation(said, came);
    return Number.isNaN(value) ? null : value;
  };
  const [linear, ml, blend] = METHODS.map(correlation);
  return { groups: groups.length, linear: linear ?? null, ml: ml ?? null, blend: blend ?? null };
}
