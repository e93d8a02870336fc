/** Milliseconds in a day of UTC. A local day may be an hour shorter or longer. */
export const DAY_MS = 86_400_000;

/** The date `YYYY-MM-DD` in UTC of an instant, in milliseconds since 1970 or as a `Date`. */
export function dateAt(at: number | Date): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The date so many days after one, before it where negative. */
export function addDays(date: string, days: number): string {
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
  return Number(date.slice(5, 7));
}

/** ISO weekday of the date `YYYY-MM-DD`: 1 Monday to 7 Sunday. */
export function isoWeekday(date: string): number {
  const month = monthOfYear(date);
  // Years begin in March, so that the leap day is the last of one (Sakamoto's method); a Date takes twenty times as long.
  const year = Number(date.slice(0, 4)) - (month < 3 ? 1 : 0);
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  const days = year + leaps + (MONTH_DAYS[month - 1] as number) + Number(date.slice(8, 10));
  return days % 7 || 7;
}

/** Weekdays by which a month begins later than January, from March on in the year before. */
const MONTH_DAYS = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
