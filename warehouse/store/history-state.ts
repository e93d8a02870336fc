/**
 * Age of the history behind answers.
 * - `old_flights`: the records of routes, airlines and hours are old, but the delay-cause table gives the current
 *   lateness.
 * - `old_levels`: neither the delay-cause table nor flights give the current lateness.
 * - `old`: the records are old, and nothing gives the current lateness.
 */
export type HistoryState = 'ok' | 'old_flights' | 'old_levels' | 'old';

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
 * Returns the state of the history. The arguments are the newest month of flights and the newest month of levels
 * (`YYYY-MM`; undefined without months).
 */
export function historyState(
  { flights, levels }: { flights?: string | undefined; levels?: string | undefined },
  now: Date,
): HistoryState {
  // Levels are also derived from flights.
  const newest = [flights, levels]
    .filter((month) => month !== undefined)
    .toSorted()
    .at(-1);
  const areFlightsOld = ageInMonths(flights, now) > MAX_FLIGHT_AGE;
  if (ageInMonths(newest, now) > MAX_LEVEL_AGE) return areFlightsOld ? 'old' : 'old_levels';
  return areFlightsOld ? 'old_flights' : 'ok';
}

/** Returns the age of a month in months; infinite for undefined. */
function ageInMonths(month: string | undefined, now: Date): number {
  if (month === undefined) return Infinity;
  const [year, number] = month.split('-').map(Number) as [number, number];
  return (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() + 1 - number;
}
