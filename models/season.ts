import type { Airport, ScoreStore, Season } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';
import { isoWeekday, monthOfYear } from '../warehouse/ground/dates.ts';

/** Odds of delay on a day relative to an average day, by month, weekday and holiday; 1 is average. */
export type DayOdds = { month: number; weekday: number; holiday: number };

/**
 * Factors, 0 to 1, for the log-odds of month, weekday and holiday. The odds of months were already shrunk when they
 * were estimated: by half with one year of history, by a third with two years. The odds of weekdays and holidays are
 * shrunk here in the same way; the length of their history is the number of days for which flight dates are known.
 */
export function dayShrinkage(calendarDays: number): DayOdds {
  const years = calendarDays / 365;
  const shrinkage = years / (years + 1);
  return { month: 1, weekday: shrinkage, holiday: shrinkage };
}

/** The odds of the flight's day. If the holiday odds of the two airports differ, the higher odds are used. */
export function dayOdds(query: FlightQuery, store: ScoreStore): DayOdds {
  const { origin, dest, flightDate } = query;
  return {
    month: store.monthOdds(monthOfYear(flightDate)),
    weekday: store.weekdayOdds(isoWeekday(flightDate)),
    holiday: Math.max(
      holidayOdds(store.airport(origin), flightDate, store),
      holidayOdds(store.airport(dest), flightDate, store),
    ),
  };
}

function holidayOdds(airport: Airport | undefined, date: string, store: ScoreStore): number {
  const days = airport && store.holidayDistance(airport.countryCode, date);
  return days === undefined ? 1 : store.holidayOdds(days);
}

/**
 * Half-year and season depth of a date. The half-year is S from April to September, otherwise W. The depth is 1 in July
 * and January, and 0 in April and October. Both values must equal `half_year` and `season_depth` in
 * `effects/groups.sql`. Half-year effects grow and fade with the depth, because summer thunderstorms delay evening
 * flights.
 */
export function seasonOf(date: string): Season {
  return SEASONS[monthOfYear(date) - 1] as Season;
}

const SEASONS = Array.from({ length: 12 }, (_, at): Season => {
  const cosine = Math.cos((2 * Math.PI * (at - 6)) / 12);
  return { halfYear: at >= 3 && at <= 8 ? 'S' : 'W', depth: Math.abs(Number(cosine.toFixed(6))) };
});
