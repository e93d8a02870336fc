import type { ScoreStore } from '../warehouse/store/types.ts';
import { arrivalOf, hoursLater } from './arrival.ts';
import { isoWeekday, monthOfYear } from '../warehouse/ground/dates.ts';
import { departuresByHour } from './hours-meant.ts';
import { NEUTRAL } from './scales.ts';
import type { FlightQuery } from './types.ts';

/** Congestion a flight meets at both ends, 0 to 1; 0.5 where nothing is known of the airport. */
export type EndsCongestion = { dep: number; arr: number };

/**
 * At its origin congestion is of its hour, at its destination of the hour of arrival, estimated from distance and time
 * zones. Where no hour is asked for it is the mean over the hours its airline departs in (all airlines of the route when it
 * is new there), and over those they arrive in, each weighing its flights.
 */
export function congestionOf(query: FlightQuery, store: ScoreStore): EndsCongestion {
  const { origin, dest, flightDate, crsDepHour } = query;
  const flights = crsDepHour === undefined ? departuresByHour(query, store) : undefined;
  const [from, to] = [store.airport(origin), store.airport(dest)];
  const dep = congestionAt(origin, flightDate, { hour: crsDepHour, flights, later: 0 }, store);
  if (!from || !to) return { dep, arr: NEUTRAL };
  const { date, hour } = arrivalOf(query, from, to);
  const hours =
    crsDepHour === undefined
      ? {
          hour: undefined,
          flights,
          later: Math.floor(hoursLater(flightDate, from, to) + HALF_HOUR),
        }
      : { hour, flights, later: 0 };
  return { dep, arr: congestionAt(dest, date, hours, store) };
}

/** Flights of an hour leave in its middle. */
const HALF_HOUR = 0.5;

/** The hour, or the flights in each hour of departure and how many hours later they are there. */
type Hours = { hour: number | undefined; flights: Float32Array | undefined; later: number };

/** That of the hour, or the mean over the flights, or over the day's movements. */
function congestionAt(
  airport: string,
  date: string,
  { hour, flights, later }: Hours,
  store: ScoreStore,
): number {
  const [month, weekday] = [monthOfYear(date), isoWeekday(date)];
  const byHour = store.congestionByHour(airport, month, weekday);
  if (byHour === undefined) return NEUTRAL;
  if (hour !== undefined) return byHour[hour] ?? NEUTRAL;
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
    if (weight === 0) continue;
    // A day or more either way is the same hour.
    sum += weight * (values[(hour + later + 48) % 24] as number);
    weightSum += weight;
  }
  return weightSum === 0 ? undefined : sum / weightSum;
}
