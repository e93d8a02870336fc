/** ISO weekday of the date `YYYY-MM-DD`: 1 Monday to 7 Sunday. */
export function isoWeekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** Month of the date `YYYY-MM-DD`: 1 to 12. */
export function monthOf(date: string): number {
  return Number(date.slice(5, 7));
}
