import { addDays } from '../warehouse/ground/dates.ts';

/** Flights can be scored up to this many days ahead. */
export const HORIZON_DAYS = 365;
/** All UTC offsets are multiples of 15 minutes, so in every time zone the date changes at such a multiple. */
const QUARTER_HOUR_MS = 15 * 60_000;

export type LocalDay = {
  /** Calendar date in the time zone, `YYYY-MM-DD`. */
  date: string;
  /** Last flight date that can be scored on this day. */
  horizon: string;
};

type Zone = { format: Intl.DateTimeFormat; quarterHour: number; day: LocalDay };

/**
 * Cached formatter and date of each time zone, at most a few hundred entries. Creating a formatter takes a hundred
 * times as long as formatting a date. Formatting takes half the time of `localDay`, so the date is cached too.
 */
const zones = new Map<string, Zone>();

/** Returns the calendar day in a time zone at a given time. */
export function localDay(timeZone: string, at: Date): LocalDay {
  const quarterHour = Math.floor(at.getTime() / QUARTER_HOUR_MS);
  const cached = zones.get(timeZone);
  if (cached?.quarterHour === quarterHour) return cached.day;
  // Canadian English formats dates as in ISO 8601, `YYYY-MM-DD`.
  const format =
    cached?.format ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const date = format.format(at);
  const horizon = addDays(date, HORIZON_DAYS);
  const day = { date, horizon };
  zones.set(timeZone, { format, quarterHour, day });
  return day;
}
