/** Hours of a day. */
export const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);

/** In a column of hours: what is expected over those an airline leaves in. */
export const ALL_HOURS = -1;
