import type { ScoreStore } from '../warehouse/store/types.ts';
import { departuresOf } from './brands.ts';
import { memoizeUndated, type UndatedFlight } from './same-flight.ts';

/** Possible departure hours of a query, and the probability of each hour. An unknown hour is NaN. */
export type HourShares = { depHours: readonly number[]; shares: readonly number[] };

/**
 * Returns the hour of the query. If the query has no hour, returns the hours in which the query's airline departs,
 * weighted by flights. If the airline is new to the route, uses the hours of all airlines on the route. Shares add up
 * to 1, so the answer without an hour is the average of the answers with an hour.
 */
export const hourSharesOf = memoizeUndated(computeHourShares);

function computeHourShares(query: UndatedFlight, store: ScoreStore): HourShares {
  if (query.crsDepHour !== undefined) return { depHours: [query.crsDepHour], shares: [1] };
  const flights = departuresByHour(query, store);
  let total = 0;
  // `reduce` is not used: on a typed array, `reduce` takes longer than the rest of this function.
  if (flights) for (let hour = 0; hour < flights.length; hour++) total += flights[hour] as number;
  if (!flights || total === 0) return { depHours: [Number.NaN], shares: [1] };
  const [depHours, shares]: [number[], number[]] = [[], []];
  for (let hour = 0; hour < flights.length; hour++) {
    const share = (flights[hour] as number) / total;
    if (share <= 0) continue;
    depHours.push(hour);
    shares.push(share);
  }
  return { depHours, shares };
}

/**
 * Returns the number of flights of the airline in each departure hour. For an airline that is new to the route, counts
 * all airlines. Undefined if the hours are unknown.
 */
export const departuresByHour = memoizeUndated(
  (query, store): Float32Array | undefined =>
    departuresOf(query, store) ?? store.departureHours(query.origin, query.dest),
);
