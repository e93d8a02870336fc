/** Milliseconds in a day of UTC. A local day may be an hour shorter or longer. */
export const DAY_MS = 86_400_000;

/** The date `YYYY-MM-DD` in UTC of an instant, in milliseconds since 1970 or as a `Date`. */
export function dateAt(at: number | Date): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The date so many days after one, before it where negative. */
export function addDays(date: string, days: number): string {
  const day = digitsAt(date, 8, 10) + days;
  // Every month has these: a flight that arrives on the next day asks no calendar.
  if (day >= 1 && day <= 28) return `${date.slice(0, 8)}${day < 10 ? '0' : ''}${day}`;
  return dateAt(Date.parse(date) + days * DAY_MS);
}

/** Days from one date to another, negative where the second is the earlier. */
export function daysBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS;
}

/** First day of the month so many months after that of a date or month; before it where negative. */
export function firstDay(dateOrMonth: string, monthsLater: number): string {
  const [year, month] = dateOrMonth.split('-').map(Number) as [number, number];
  return dateAt(Date.UTC(year, month - 1 + monthsLater, 1));
}

/** The month `YYYY-MM` of a date. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** Month of the date `YYYY-MM-DD`: 1 to 12. */
export function monthOfYear(date: string): number {
  return digitsAt(date, 5, 7);
}

/** The whole number in those places of a text; each flight asks for a dozen, so without a string for it. */
function digitsAt(text: string, from: number, until: number): number {
  let number = 0;
  for (let at = from; at < until; at++) number = 10 * number + text.charCodeAt(at) - ZERO;
  return number;
}

const ZERO = '0'.charCodeAt(0);

/** Days of UTC from 1970-01-01 to the date `YYYY-MM-DD`. */
export function epochDay(date: string): number {
  return daysOfEra(date) - DAYS_BEFORE_1970;
}

/** ISO weekday of the date `YYYY-MM-DD`: 1 Monday to 7 Sunday. */
export function isoWeekday(date: string): number {
  return (daysOfEra(date) + MONDAY_FIRST) % 7 || 7;
}

/** Days to the date from 1 March of the year 0, when years begin in March: the leap day is the last of one. */
function daysOfEra(date: string): number {
  const month = monthOfYear(date);
  const year = digitsAt(date, 0, 4) - (month < 3 ? 1 : 0);
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return 365 * year + leaps + (DAYS_BEFORE[month - 1] as number) + digitsAt(date, 8, 10) - 1;
}

/** Days of a year that begins in March before each month, from January on. */
const DAYS_BEFORE = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];
const DAYS_BEFORE_1970 = 719_468;
/** 1 March of the year 0 was a Wednesday. */
const MONDAY_FIRST = 3;
