import type { ScoreStore } from '../warehouse/store/types.ts';
import { departuresByHour } from './expectation.ts';
import { NEUTRAL } from './scales.ts';
import type { FlightQuery } from './types.ts';

/**
 * Congestion the flight meets at its origin: of its hour, or, when no hour is asked for, the mean over the hours its
 * airline departs in (all airlines of the route when it is new there), each weighing its flights. So the scores of the
 * single hours average to the score without one. 0.5 where nothing is known of the airport.
 */
export function departureCongestion(
  query: FlightQuery,
  store: ScoreStore,
  month: number,
  weekday: number,
): number {
  const { origin, depHour } = query;
  const byHour = store.congestionByHour(origin, month, weekday);
  if (byHour === undefined) return NEUTRAL;
  if (depHour !== undefined) return byHour[depHour] ?? NEUTRAL;
  const flights = departuresByHour(query, store);
  return (
    (flights && meanOver(flights, byHour)) ?? store.congestion(origin, month, weekday) ?? NEUTRAL
  );
}

/**
 * Congestion at the destination: the mean over the hours of the day, as a departure does not tell the hour of arrival.
 * 0.5 where nothing is known of the airport.
 */
export function arrivalCongestion(
  { dest }: FlightQuery,
  store: ScoreStore,
  month: number,
  weekday: number,
): number {
  return store.congestion(dest, month, weekday) ?? NEUTRAL;
}

function meanOver(weights: Float32Array, values: Float32Array): number | undefined {
  let sum = 0;
  let weightSum = 0;
  for (let hour = 0; hour < weights.length; hour++) {
    const weight = weights[hour] as number;
    sum += weight * (values[hour] as number);
    weightSum += weight;
  }
  return weightSum === 0 ? undefined : sum / weightSum;
}
