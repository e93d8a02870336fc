import type { ScoreStore } from '../warehouse/store/types.ts';
import { arrivalOf, hoursLater } from './arrival.ts';
import { isoWeekday, monthOf } from './dates.ts';
import { departuresByHour } from './expectation.ts';
import { NEUTRAL } from './scales.ts';
import type { FlightQuery } from './types.ts';

/**
 * Congestion the flight meets at its origin: of its hour, or, when no hour is asked for, the mean over the hours its
 * airline departs in (all airlines of the route when it is new there), each weighing its flights. 0.5 where nothing is
 * known of the airport.
 */
export function departureCongestion(query: FlightQuery, store: ScoreStore): number {
  const { origin, depHour, flightDate } = query;
  return congestionAt(origin, flightDate, query, store, depHour, 0);
}

/**
 * Congestion it meets at its destination: of the hour of arrival, estimated from distance and time zones, or, when no
 * hour is asked for, the mean over the hours its departures arrive in. 0.5 where nothing is known of the airport.
 */
export function arrivalCongestion(query: FlightQuery, store: ScoreStore): number {
  const { dest, flightDate } = query;
  const ends = [store.airport(query.origin), store.airport(dest)] as const;
  if (!ends[0] || !ends[1]) return NEUTRAL;
  const arrival = arrivalOf(query, ends[0], ends[1]);
  if (query.depHour !== undefined) {
    return congestionAt(dest, arrival.date, query, store, arrival.hour, 0);
  }
  const later = Math.floor(hoursLater(flightDate, ends[0], ends[1]) + 0.5);
  return congestionAt(dest, arrival.date, query, store, undefined, later);
}

/** That of an hour, or the mean over the hours of departure, each so many hours later, or that of the day. */
function congestionAt(
  airport: string,
  date: string,
  query: FlightQuery,
  store: ScoreStore,
  hour: number | undefined,
  later: number,
): number {
  const [month, weekday] = [monthOf(date), isoWeekday(date)];
  const byHour = store.congestionByHour(airport, month, weekday);
  if (byHour === undefined) return NEUTRAL;
  if (hour !== undefined) return byHour[hour] ?? NEUTRAL;
  const flights = departuresByHour(query, store);
  return (
    (flights && meanOver(flights, byHour, later)) ??
    store.congestion(airport, month, weekday) ??
    NEUTRAL
  );
}

function meanOver(weights: Float32Array, values: Float32Array, later: number): number | undefined {
  let sum = 0;
  let weightSum = 0;
  for (let hour = 0; hour < weights.length; hour++) {
    const weight = weights[hour] as number;
    sum += weight * (values[(hour + later + 48) % 24] as number);
    weightSum += weight;
  }
  return weightSum === 0 ? undefined : sum / weightSum;
}
