/**
 * Age of the history behind answers.
 * - `behind`: answers are still good, but BTS has published newer months than the newest flights.
 * - `old_flights`: the records of routes, airlines and hours are old, but the delay-cause table gives the current
 *   lateness.
 * - `old_levels`: neither the delay-cause table nor flights give the current lateness.
 * - `old`: the records are old, and nothing gives the current lateness.
 */
export type HistoryState = 'ok' | 'behind' | 'old_flights' | 'old_levels' | 'old';

/** The newest months of flights and of the delay-cause table, `YYYY-MM`; undefined without months. */
export type NewestMonths = { flights?: string | undefined; levels?: string | undefined };

/**
 * In months. This limit is a choice. Airlines change their timetables twice a year, so flights older than the limit are
 * four timetables behind.
 */
export const MAX_FLIGHT_AGE = 24;

/**
 * In months. Levels older than the limit do not even cover the same month of last year. BTS publishes levels two to
 * three months late.
 */
export const MAX_LEVEL_AGE = 12;

/**
 * In months. BTS publishes a month two to three months after its end, so its newest month is at most four months old.
 * One more month allows for a late publication and for retries of the download.
 */
export const MAX_PUBLISHED_AGE = 5;

/**
 * Returns the state of the history. `isCurrent`: a worker downloads newly published months, so the newest flights
 * should be as new as the newest flights that BTS has published.
 */
export function historyState(
  { flights, levels }: NewestMonths,
  now: Date,
  isCurrent = false,
): HistoryState {
  // Levels are also derived from flights.
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
