import { addDays, monthOf, monthOfYear } from '../warehouse/ground/dates.ts';
import type { Airport } from '../warehouse/store/types.ts';
import { distanceKm } from '../warehouse/ground/distance.ts';
import { memoizeFlight } from './same-flight.ts';

type Place = Pick<Airport, 'latitude' | 'longitude' | 'timeZone'>;

/**
 * Local date and hour of arrival at the destination. `hoursLater` is the difference between the destination's clock on
 * arrival and the origin's clock on departure.
 */
export type Arrival = { date: string; hour: number; hoursLater: number };

/** Gate-to-gate time: half an hour plus the distance at a jet's speed. */
const GROUND_H = 0.5;
const SPEED_KMH = 850;

/**
 * Local hour that is used if the departure hour is unknown: the middle of a day's departures. A known hour gets half an
 * hour more, because the flights of an hour depart at half past on average.
 */
const MIDDAY_H = 14;
const HALF_HOUR = 0.5;

/** Returns the estimated arrival of a flight; undefined if the store lacks one of its airports. */
export const flightArrival = memoizeFlight((query, store): Arrival | undefined => {
  const [origin, dest] = [store.airport(query.origin), store.airport(query.dest)];
  return origin && dest && arrivalOf(query, origin, dest);
});

/**
 * Estimates the local date and hour of arrival from distance and time zones.
 * Without `crsDepHour` the departure is assumed to be at 14:00.
 */
export function arrivalOf(
  { flightDate, crsDepHour }: { flightDate: string; crsDepHour?: number | undefined },
  origin: Place,
  dest: Place,
): Arrival {
  const departure = crsDepHour === undefined ? MIDDAY_H : crsDepHour + HALF_HOUR;
  const hoursLater = clockHoursLater(flightDate, origin, dest);
  const hours = departure + hoursLater;
  const days = Math.floor(hours / 24);
  const date = days === 0 ? flightDate : addDays(flightDate, days);
  return { date, hour: Math.floor(hours - 24 * days), hoursLater };
}

/** Hours by which the destination's clock on arrival is ahead of the origin's clock on departure. */
function clockHoursLater(flightDate: string, origin: Place, dest: Place): number {
  const zoneDifference =
    zoneHours(dest.timeZone, flightDate) - zoneHours(origin.timeZone, flightDate);
  return GROUND_H + distanceKm(origin, dest) / SPEED_KMH + zoneDifference;
}

/**
 * Cache of UTC offsets in hours, by time zone. Each time zone has one offset per month. A call of `Intl` would take a
 * thousand times as long.
 */
const zoneHoursCache = new Map<string, Float64Array>();

/** Returns by how many hours the time zone is ahead of UTC in the middle of the date's month. */
export function zoneHours(timeZone: string, date: string): number {
  let hours = zoneHoursCache.get(timeZone);
  if (!hours) {
    hours = new Float64Array(12).fill(Number.NaN);
    zoneHoursCache.set(timeZone, hours);
  }
  const month = monthOfYear(date);
  const cached = hours[month - 1] as number;
  if (!Number.isNaN(cached)) return cached;
  return (hours[month - 1] = computeZoneHours(timeZone, monthOf(date)));
}

/** Computes `zoneHours` for a month, `YYYY-MM`. */
function computeZoneHours(timeZone: string, month: string): number {
  const at = new Date(`${month}-15T12:00:00Z`);
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const local = Date.parse(`${format.format(at)} UTC`);
  return (local - at.getTime()) / 3_600_000;
}
