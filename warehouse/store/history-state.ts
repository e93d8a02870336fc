/**
 * How old the history is that answers rest on. `old_flights`: records of routes, airlines and hours are old, but the
 * delay-cause table tells how late they are today. `old_levels`: the other way round, it tells nothing recent, and flights
 * are no newer. `old`: both.
 */
export type HistoryState = 'ok' | 'old_flights' | 'old_levels' | 'old';

/** Months; a choice: airlines redraw their timetables twice a year, so beyond it four times. */
export const MAX_FLIGHT_AGE = 24;

/** Months; beyond, not even the same month of last year is told. BTS is two to three months late. */
export const MAX_LEVEL_AGE = 12;

/** Whether the newest month of flights, and the newest month that tells levels, are recent (`YYYY-MM`; absent: none). */
export function historyState(
  { flights, levels }: { flights?: string | undefined; levels?: string | undefined },
  now: Date,
): HistoryState {
  // Flights tell levels too.
  const newest = [flights, levels]
    .filter((month) => month !== undefined)
    .toSorted()
    .at(-1);
  const areFlightsOld = ageOf(flights, now) > MAX_FLIGHT_AGE;
  if (ageOf(newest, now) > MAX_LEVEL_AGE) return areFlightsOld ? 'old' : 'old_levels';
  return areFlightsOld ? 'old_flights' : 'ok';
}

/** Months from a month to that of a moment; infinite where there is none. */
function ageOf(month: string | undefined, now: Date): number {
  if (month === undefined) return Infinity;
  const [year, number] = month.split('-').map(Number) as [number, number];
  return (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() + 1 - number;
}
