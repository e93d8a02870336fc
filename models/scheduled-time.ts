import type { Airport } from '../warehouse/store/types.ts';
import { addDays, daysBetween } from '../warehouse/ground/dates.ts';
import { distanceKm } from '../warehouse/ground/distance.ts';
import { zoneHours } from './arrival.ts';
import parameters from './connections.json' with { type: 'json' };

type Place = Pick<Airport, 'latitude' | 'longitude' | 'timeZone'>;

/** A local date, and the minute of that day. */
export type LocalTime = { date: string; minute: number };

const DAY_MINUTES = 1_440;

/** Returns the minute of the day of a time `HH:MM`. */
export function minuteOf(time: string): number {
  return 60 * Number(time.slice(0, 2)) + Number(time.slice(3, 5));
}

/** Formats the minute of a day as `HH:MM`. */
export function timeOf(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Minutes from one local time to another at the same airport; negative if the second time is earlier. */
export function minutesBetween(from: LocalTime, until: LocalTime): number {
  return DAY_MINUTES * daysBetween(from.date, until.date) + until.minute - from.minute;
}

/**
 * Estimates the scheduled minutes from gate to gate. Flights to the east are faster, because winds at cruising altitude
 * blow from the west. `npm run fit -- connections` fits the parameters and prints the mean error, about 8 minutes.
 */
function scheduledMinutes(from: Place, to: Place): number {
  const { baseMin, perKm, perDegreeEast } = parameters.scheduled;
  return baseMin + perKm * distanceKm(from, to) + perDegreeEast * degreesEast(from, to);
}

/** Estimates the local time of arrival of a flight. */
export function estimateArrival(departure: LocalTime, from: Place, to: Place): LocalTime {
  const zoneMinutes =
    60 * (zoneHours(to.timeZone, departure.date) - zoneHours(from.timeZone, departure.date));
  const minutes = Math.round(departure.minute + scheduledMinutes(from, to) + zoneMinutes);
  const days = Math.floor(minutes / DAY_MINUTES);
  return { date: addDays(departure.date, days), minute: minutes - DAY_MINUTES * days };
}

/** Returns the local time of arrival at a minute of the day, on the date nearest to the estimate. */
export function arrivalNear(estimate: LocalTime, minute: number): LocalTime {
  const days = Math.round((estimate.minute - minute) / DAY_MINUTES);
  return { date: addDays(estimate.date, days), minute };
}

/** Returns the degrees of longitude from `from` east to `to`, from -180 to 180. */
export function degreesEast(from: Pick<Place, 'longitude'>, to: Pick<Place, 'longitude'>): number {
  return ((to.longitude - from.longitude + 540) % 360) - 180;
}
