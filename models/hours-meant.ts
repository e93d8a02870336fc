import type { ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';

/** Hours of departure a question may mean, NaN where it is unknown, and how likely each is meant. */
export type HoursMeant = { depHours: number[]; shares: number[] };

/**
 * The hours a question stands for: its own when it names one, otherwise those its airline leaves in (all airlines of the
 * route when it is new there), by how often. Shares add up to 1, so that the answers with an hour agree, on average, with
 * the one without.
 */
export function hoursMeant(query: FlightQuery, store: ScoreStore): HoursMeant {
  if (query.crsDepHour !== undefined) return { depHours: [query.crsDepHour], shares: [1] };
  const flights = departuresByHour(query, store);
  let total = 0;
  // Not by its `reduce`, which on a typed array takes longer than all else here.
  if (flights) for (let hour = 0; hour < flights.length; hour++) total += flights[hour] as number;
  if (!flights || total === 0) return { depHours: [Number.NaN], shares: [1] };
  const meant: HoursMeant = { depHours: [], shares: [] };
  for (let hour = 0; hour < flights.length; hour++) {
    const share = (flights[hour] as number) / total;
    if (share <= 0) continue;
    meant.depHours.push(hour);
    meant.shares.push(share);
  }
  return meant;
}

/** Flights in each hour the airline leaves in, or all airlines of the route when it is new there; undefined when unknown. */
export function departuresByHour(
  { origin, dest, carrier }: FlightQuery,
  store: ScoreStore,
): Float32Array | undefined {
  return store.departureHours(origin, dest, carrier) ?? store.departureHours(origin, dest);
}
