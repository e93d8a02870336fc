import type { Airport, ScoreStore, Season } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';
import { isoWeekday, monthOfYear } from '../warehouse/ground/dates.ts';

/** Odds of delay on a day against an average one, by what makes them; 1 is average. */
export type DayOdds = { month: number; weekday: number; holiday: number };

/**
 * How much of the log-odds of a month, a weekday and a holiday is believed, 0 to 1. Months are shrunk where they are
 * estimated: one year's are believed by half, two years' by two thirds. The others are believed in the same measure, by
 * the days with dated flights they rest on.
 */
export function dayBelief(calendarDays: number): DayOdds {
  const years = calendarDays / 365;
  const belief = years / (years + 1);
  return { month: 1, weekday: belief, holiday: belief };
}

/** The odds of the flight's day; of both ends' holidays the one that raises them more counts. */
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
 * Where in its half of the year a date lies, S from April to September, and how deep: 1 in July and in January, 0 in April
 * and in October, as `half_year` and `season_depth` in `effects/groups.sql`. Thunderstorms make summer's evenings what they
 * are; what is found of a half-year grows and fades with its depth.
 */
export function seasonOf(date: string): Season {
  return SEASONS[monthOfYear(date) - 1] as Season;
}

const SEASONS = Array.from({ length: 12 }, (_, at): Season => {
  const cosine = Math.cos((2 * Math.PI * (at - 6)) / 12);
  return { halfYear: at >= 3 && at <= 8 ? 'S' : 'W', depth: Math.abs(Number(cosine.toFixed(6))) };
});
