/** The hours of a day, 0 to 23. */
export const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);

/** Value of the hour in rows that cover all departure hours of an airline. */
export const ALL_HOURS = -1;

/** Formats an hour as a time of the day: `06:00`. */
export function hourToTime(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Returns the hour of a time of the day: 6 for `06:45`. */
export function hourOfTime(time: string): number {
  return Number(time.slice(0, 2));
}
