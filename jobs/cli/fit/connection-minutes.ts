/** Delays on arrival below 15 minutes at which flights are counted; negative is early. */
export const EARLY_MINUTES = [-30, -20, -15, -10, -5, 0, 5, 10] as const;

/** Delays on departure at which flights are counted. */
export const DEPARTURE_MINUTES = [0, 5, 10, 15, 30, 45, 60, 90, 120, 180, 360] as const;
