import { addDays } from '../warehouse/ground/dates.ts';

/** Number of days after today for which flights may be scored. */
export const HORIZON_DAYS = 365;
/** Every UTC offset is a multiple of 15 minutes, so the date in any time zone changes only at such a multiple. */
const QUARTER_HOUR_MS = 15 * 60_000;

export type LocalDay = {
  /** Calendar date in the time zone, `YYYY-MM-DD`. */
  date: string;
  /** Last flight date that may be scored on that day. */
  horizon: string;
};

type Zone = { format: Intl.DateTimeFormat; quarterHour: number; day: LocalDay };

/**
 * Cached format and day of each time zone; at most a few hundred entries. The format is cached because creating a
 * format takes a hundred times as long as formatting a date. The day is cached because formatting a date takes half the
 * time of `localDay`.
 */
const zones = new Map<string, Zone>();

/** Returns the calendar day in a time zone at an instant. */
export function localDay(timeZone: string, at: Date): LocalDay {
  const quarterHour = Math.floor(at.getTime() / QUARTER_HOUR_MS);
  const cached = zones.get(timeZone);
  if (cached?.quarterHour === quarterHour) return cached.day;
  // Dates in Canadian English have the format of ISO 8601.
  const format =
    cached?.format ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const date = format.format(at);
  const horizon = addDays(date, HORIZON_DAYS);
  const day = { date, horizon };
  zones.set(timeZone, { format, quarterHour, day });
  return day;
}
