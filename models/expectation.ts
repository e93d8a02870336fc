import type { ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';

/** One of the flights a question may mean, and how likely it is meant. */
export type FlightMeant = { query: FlightQuery; share: number };

/**
 * The flights a question stands for: itself when it names its hour, otherwise one for each hour its airline leaves in (all
 * airlines of the route when it is new there), by how often. Shares add up to 1, so that the answers with an hour agree,
 * on average, with the one without.
 */
export function flightsMeant(query: FlightQuery, store: ScoreStore): FlightMeant[] {
  if (query.crsDepHour !== undefined) return [{ query, share: 1 }];
  const flights = departuresByHour(query, store);
  const total = flights?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (!flights || total === 0) return [{ query, share: 1 }];
  return Array.from(flights, (count, hour) => ({
    query: { ...query, crsDepHour: hour },
    share: count / total,
  })).filter(({ share }) => share > 0);
}

/** Flights in each hour the airline leaves in, or all airlines of the route when it is new there; undefined when unknown. */
export function departuresByHour(
  { origin, dest, carrier }: FlightQuery,
  store: ScoreStore,
): Float32Array | undefined {
  return store.departureHours(origin, dest, carrier) ?? store.departureHours(origin, dest);
}
