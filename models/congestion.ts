import type { ScoreStore } from '../warehouse/store/types.ts';
import { flightArrival } from './arrival.ts';
import { isoWeekday, monthOfYear } from '../warehouse/ground/dates.ts';
import { departuresByHour } from './hour-shares.ts';
import { NEUTRAL } from './scales.ts';
import type { FlightQuery, Placeholder } from './types.ts';

/** Congestion at both ends of a flight, 0 to 1. An unknown airport has 0.5. */
export type EndsCongestion = { dep: number; arr: number };

/**
 * Returns congestion at the origin in the hour of departure, and at the destination in the estimated hour of arrival.
 * Without a departure hour, returns the mean over the hours in which the airline departs and arrives, weighted by
 * flights. If the airline is new to the route, uses the hours of all airlines on the route.
 */
export function congestionOf(query: FlightQuery, store: ScoreStore): EndsCongestion {
  const { origin, dest, flightDate, crsDepHour } = query;
  const flights = crsDepHour === undefined ? departuresByHour(query, store) : undefined;
  const dep = congestionAt(origin, flightDate, { hour: crsDepHour, flights, hoursLater: 0 }, store);
  const arrival = flightArrival(query, store);
  if (!arrival) return { dep, arr: NEUTRAL };
  const { date, hour, hoursLater } = arrival;
  const hours =
    crsDepHour === undefined
      ? { hour: undefined, flights, hoursLater: Math.floor(hoursLater + HALF_HOUR) }
      : { hour, flights, hoursLater: 0 };
  return { dep, arr: congestionAt(dest, date, hours, store) };
}

/**
 * Log-odds of delay that congestion adds to a flight, compared with a flight between two empty airports. The log-odds
 * rise with the congestion of each airport. An airport whose congestion is unknown adds 0.
 */
export function congestionLogOdds(
  { dep, arr }: EndsCongestion,
  unknown: readonly Placeholder[],
  { network }: Pick<ScoreStore, 'network'>,
): number {
  const known =
    (unknown.includes('congestion_dep') ? 0 : dep) + (unknown.includes('congestion_arr') ? 0 : arr);
  return network.fullHourLogOdds * known;
}

/** On average, the flights of an hour depart at half past. */
const HALF_HOUR = 0.5;

/**
 * The time of a flight at one of its airports. `hour` is the local hour at this airport, if known. If not, `flights`
 * has the number of flights in each departure hour. `hoursLater` is the number of hours from the departure to the time
 * at this airport.
 */
type DepartureHours = {
  hour: number | undefined;
  flights: Float32Array | undefined;
  hoursLater: number;
};

/**
 * Returns the congestion in the hour. Without an hour, returns the mean over the flights. Without flights, returns the
 * mean over all movements of the day.
 */
function congestionAt(
  airport: string,
  date: string,
  { hour, flights, hoursLater }: DepartureHours,
  store: ScoreStore,
): number {
  const [month, weekday] = [monthOfYear(date), isoWeekday(date)];
  const byHour = store.congestionByHour(airport, month, weekday);
  if (byHour === undefined) return NEUTRAL;
  if (hour !== undefined) return byHour[hour] ?? NEUTRAL;
  return (
    (flights && meanOver(flights, byHour, hoursLater)) ??
    store.congestion(airport, month, weekday) ??
    NEUTRAL
  );
}

function meanOver(
  weights: Float32Array,
  values: Float32Array,
  hoursLater: number,
): number | undefined {
  let sum = 0;
  let weightSum = 0;
  for (let hour = 0; hour < weights.length; hour++) {
    const weight = weights[hour] as number;
    if (weight === 0) continue;
    // Add 48 to keep the index positive: by the local clock, an arrival can be a day or more before the departure.
    sum += weight * (values[(hour + hoursLater + 48) % 24] as number);
    weightSum += weight;
  }
  return weightSum === 0 ? undefined : sum / weightSum;
}
