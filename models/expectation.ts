import type { ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';

/** One of the flights a question may mean, and how likely it is meant. */
export type Case = { query: FlightQuery; share: number };

/**
 * The flights a question stands for: itself when it names its hour, otherwise one for each hour the airline leaves in,
 * by how often it does. Shares add up to 1, so that the answers with an hour agree, on average, with the one without.
 */
export function casesOf(query: FlightQuery, store: ScoreStore): Case[] {
  const { origin, dest, carrier, depHour } = query;
  const hours = depHour === undefined ? store.departureHours(origin, dest, carrier) : [];
  const total = hours.reduce((sum, { share }) => sum + share, 0);
  if (total === 0) return [{ query, share: 1 }];
  return hours.map(({ hour, share }) => ({
    query: { ...query, depHour: hour },
    share: share / total,
  }));
}
