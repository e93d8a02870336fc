/** The hours of a day, 0 to 23. */
export const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);

/** The hour value of rows that cover all hours in which an airline departs. */
export const ALL_HOURS = -1;
