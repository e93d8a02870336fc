/**
 * Age of the history behind answers.
 * - `ok`: no limit below is exceeded.
 * - `behind`: answers are still good, but BTS has published months that are newer than the newest flights.
 * - `old_flights`: the records of routes, airlines and hours are old. The delay-cause table gives the current level.
 * - `old_levels`: the current level is unknown, because both the delay-cause table and the flights are too old.
 * - `old`: the records are old, and the current level is unknown.
 */
export type HistoryState = 'ok' | 'behind' | 'old_flights' | 'old_levels' | 'old';

/** The newest months of flights and of the delay-cause table, `YYYY-MM`; undefined without months. */
export type NewestMonths = { flights?: string | undefined; levels?: string | undefined };

/**
 * Maximum age of the newest flights, in months. Airlines change their timetables twice a year, so older flights are
 * four timetables behind. The limit is our choice.
 */
export const MAX_FLIGHT_AGE = 24;

/**
 * Maximum age, in months, of the newest data for the current level. BTS publishes levels two to three months late.
 * Levels that are older than this do not even include the same month of last year.
 */
export const MAX_LEVEL_AGE = 12;

/**
 * Maximum age of the newest flights, in months, if a worker downloads newly published months. BTS publishes a month two
 * to three months after its end, so the newest published month is at most four months old. One more month allows for
 * late publication and for repeated downloads.
 */
export const MAX_PUBLISHED_AGE = 5;

/**
 * Returns the state of the history. `isCurrent` means that a worker downloads newly published months. The newest
 * flights are then expected to be as new as BTS's newest published month.
 */
export function historyState(
  { flights, levels }: NewestMonths,
  now: Date,
  isCurrent = false,
): HistoryState {
  // The current level can also be computed from flights.
  const newest = [flights, levels]
    .filter((month) => month !== undefined)
    .toSorted()
    .at(-1);
  const areFlightsOld = ageInMonths(flights, now) > MAX_FLIGHT_AGE;
  if (ageInMonths(newest, now) > MAX_LEVEL_AGE) return areFlightsOld ? 'old' : 'old_levels';
  if (areFlightsOld) return 'old_flights';
  return isCurrent && ageInMonths(flights, now) > MAX_PUBLISHED_AGE ? 'behind' : 'ok';
}

/** Returns the age of a month in months; infinite for undefined. */
export function ageInMonths(month: string | undefined, now: Date): number {
  if (month === undefined) return Infinity;
  const [year, number] = month.split('-').map(Number) as [number, number];
  return (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() + 1 - number;
}
