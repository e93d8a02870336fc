/** Milliseconds in a UTC day. A local day may be an hour shorter or longer. */
export const DAY_MS = 86_400_000;

const MINUTE_MS = 60_000;

/**
 * Returns the start of the minute of an instant. Answers use this time, so that an answer can later be computed again
 * with the same bytes.
 */
export function startOfMinute(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
}

/** Returns the UTC date `YYYY-MM-DD` of an instant, given as a `Date` or in milliseconds since 1970. */
export function dateAt(at: number | Date): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Adds days to a date; a negative number goes back. */
export function addDays(date: string, days: number): string {
  const day = digitsAt(date, 8, 10) + days;
  // Days 1 to 28 exist in every month, so most calls need no calendar.
  if (day >= 1 && day <= 28) return `${date.slice(0, 8)}${day < 10 ? '0' : ''}${day}`;
  return dateAt(Date.parse(date) + days * DAY_MS);
}

/** Counts the days from one date to another; negative when the second date is earlier. */
export function daysBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS;
}

/** Returns the first day of the month that is `monthsLater` months after a date or month; negative numbers go back. */
export function firstDay(dateOrMonth: string, monthsLater: number): string {
  const [year, month] = dateOrMonth.split('-').map(Number) as [number, number];
  return dateAt(Date.UTC(year, month - 1 + monthsLater, 1));
}

/** Returns the month `YYYY-MM` of a date. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** Returns the month number of a date `YYYY-MM-DD`: 1 to 12. */
export function monthOfYear(date: string): number {
  return digitsAt(date, 5, 7);
}

/** Parses the digits at `[from, until)` of a text. Creates no substring, because a score needs about a dozen calls. */
function digitsAt(text: string, from: number, until: number): number {
  let number = 0;
  for (let at = from; at < until; at++) number = 10 * number + text.charCodeAt(at) - ZERO;
  return number;
}

const ZERO = '0'.charCodeAt(0);

/** Counts the UTC days from 1970-01-01 to a date `YYYY-MM-DD`. */
export function epochDay(date: string): number {
  return daysOfEra(date) - DAYS_BEFORE_1970;
}

/** Returns the ISO weekday of a date `YYYY-MM-DD`: 1 is Monday, 7 is Sunday. */
export function isoWeekday(date: string): number {
  return (daysOfEra(date) + MONDAY_FIRST) % 7 || 7;
}

/**
 * Counts the days since 1 March of year 0. In this count a year begins in March, so that the leap day is the last day
 * of a year.
 */
function daysOfEra(date: string): number {
  if (date !== lastDay.date) lastDay = { date, count: countDaysOfEra(date) };
  return lastDay.count;
}

/** The result of the last call. A score needs the weekday of the same date several times. */
let lastDay = { date: '', count: Number.NaN };

function countDaysOfEra(date: string): number {
  const month = monthOfYear(date);
  const year = digitsAt(date, 0, 4) - (month < 3 ? 1 : 0);
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return 365 * year + leaps + (DAYS_BEFORE[month - 1] as number) + digitsAt(date, 8, 10) - 1;
}

/** Days before each month, in calendar order from January, in a year that begins in March. */
const DAYS_BEFORE = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];
const DAYS_BEFORE_1970 = 719_468;
/** 1 March of year 0 was a Wednesday, so the count of days is shifted. */
const MONDAY_FIRST = 3;

/** Counts the months from one month or date to another; negative if the second is earlier. */
export function monthsBetween(from: string, until: string): number {
  return monthCount(until) - monthCount(from);
}

function monthCount(text: string): number {
  return 12 * digitsAt(text, 0, 4) + monthOfYear(text);
}
