import { addDays, monthOf, monthOfYear } from '../warehouse/ground/dates.ts';
import type { Airport } from '../warehouse/store/types.ts';
import { distanceKm } from '../warehouse/ground/distance.ts';

type Place = Pick<Airport, 'latitude' | 'longitude' | 'timeZone'>;

/** When a flight arrives, by the clock at its destination. */
export type Arrival = { date: string; hour: number };

/** From gate to gate a flight takes half an hour, and the distance at the speed of a jet. */
const GROUND_H = 0.5;
const SPEED_KMH = 850;

/** The middle of a day's departures, and of an hour's. */
const MIDDAY_H = 14;
const HALF_HOUR = 0.5;

/**
 * The local date and hour at which a flight of `flightDate` arrives, estimated from distance and time zones; without its
 * hour of departure, as if it left at two in the afternoon.
 */
export function arrivalOf(
  { flightDate, crsDepHour }: { flightDate: string; crsDepHour?: number },
  origin: Place,
  dest: Place,
): Arrival {
  const departure = crsDepHour === undefined ? MIDDAY_H : crsDepHour + HALF_HOUR;
  const hours = departure + hoursLater(flightDate, origin, dest);
  const days = Math.floor(hours / 24);
  const date = days === 0 ? flightDate : addDays(flightDate, days);
  return { date, hour: Math.floor(hours - 24 * days) };
}

/** By how many hours the clock at the destination on arrival is ahead of that at the origin on departure. */
export function hoursLater(flightDate: string, origin: Place, dest: Place): number {
  const clock = zoneHours(dest.timeZone, flightDate) - zoneHours(origin.timeZone, flightDate);
  return GROUND_H + distanceKm(origin, dest) / SPEED_KMH + clock;
}

/** Hours of each month by time zone: asking one takes a thousand times as long as remembering what it said. */
const remembered = new Map<string, Float64Array>();

/** Hours the clock of a time zone is ahead of UTC in the middle of the date's month. */
function zoneHours(timeZone: string, date: string): number {
  let hours = remembered.get(timeZone);
  if (!hours) {
    hours = new Float64Array(12).fill(Number.NaN);
    remembered.set(timeZone, hours);
  }
  const month = monthOfYear(date);
  const known = hours[month - 1] as number;
  if (!Number.isNaN(known)) return known;
  return (hours[month - 1] = askedHours(timeZone, monthOf(date)));
}

/** `month` is `YYYY-MM`. */
function askedHours(timeZone: string, month: string): number {
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
