import { addDays } from '../warehouse/ground/dates.ts';

/** How far ahead of today a flight may be asked for. */
const HORIZON_DAYS = 365;
/** Every zone's offset from UTC is a multiple of this, so its day never changes in between. */
const QUARTER_HOUR_MS = 15 * 60_000;

export type LocalDay = {
  /** The calendar date there, `YYYY-MM-DD`. */
  date: string;
  /** The last date a flight may be asked for on that day. */
  horizon: string;
};

type Zone = { format: Intl.DateTimeFormat; quarterHour: number; day: LocalDay };

/** A few hundred at most. Making a format costs a hundred times more than using it, and that as much as all else here. */
const zones = new Map<string, Zone>();

/** What day it is in the time zone at that instant. */
export function localDay(timeZone: string, at: Date): LocalDay {
  const quarterHour = Math.floor(at.getTime() / QUARTER_HOUR_MS);
  const known = zones.get(timeZone);
  if (known?.quarterHour === quarterHour) return known.day;
  // Canadian English writes dates as ISO 8601 does.
  const format =
    known?.format ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const date = format.format(at);
  const horizon = addDays(date, HORIZON_DAYS);
  const day = { date, horizon };
  zones.set(timeZone, { format, quarterHour, day });
  return day;
}
