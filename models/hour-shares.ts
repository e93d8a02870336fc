import type { ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';

/** Possible departure hours of a query, NaN for an unknown hour, and the probability of each. */
export type HourShares = { depHours: number[]; shares: number[] };

/**
 * Returns the query's own hour, or the hours in which its airline departs, weighted by flights. For an airline new to
 * the route, the hours of all airlines there are used. Shares add up to 1, so the answer without an hour is the average
 * of the answers with one.
 */
export function hourSharesOf(query: FlightQuery, store: ScoreStore): HourShares {
  if (query.crsDepHour !== undefined) return { depHours: [query.crsDepHour], shares: [1] };
  const flights = departuresByHour(query, store);
  let total = 0;
  // Not `reduce`: on a typed array it takes longer than the rest of this function.
  if (flights) for (let hour = 0; hour < flights.length; hour++) total += flights[hour] as number;
  if (!flights || total === 0) return { depHours: [Number.NaN], shares: [1] };
  const hourShares: HourShares = { depHours: [], shares: [] };
  for (let hour = 0; hour < flights.length; hour++) {
    const share = (flights[hour] as number) / total;
    if (share <= 0) continue;
    hourShares.depHours.push(hour);
    hourShares.shares.push(share);
  }
  return hourShares;
}

/**
 * Flights in each hour of departure of the airline, or of all airlines when it is new to the route; undefined when
 * unknown.
 */
export function departuresByHour(
  { origin, dest, carrier }: FlightQuery,
  store: ScoreStore,
): Float32Array | undefined {
  return store.departureHours(origin, dest, carrier) ?? store.departureHours(origin, dest);
}
