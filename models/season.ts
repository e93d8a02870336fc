import type { HolidayDay, ScoreStore, Season } from '../warehouse/store/types.ts';
import { memoizeFlight } from './same-flight.ts';
import type { FlightQuery } from './types.ts';
import { isoWeekday, monthOfYear } from '../warehouse/ground/dates.ts';

/**
 * By how much the month, the weekday and the holiday of a day change the log-odds of delay, compared with an average
 * day; 0 means no change.
 */
export type DayLogOdds = { month: number; weekday: number; holiday: number };

/**
 * Returns factors, 0 to 1, by which the log-odds of month, weekday and holiday are multiplied. The odds of months and
 * holidays were already shrunk when they were estimated. The odds of weekdays are shrunk here: to half with one year of
 * history, to two thirds with two years. `calendarDays` is the number of days with dated flights.
 */
export function dayShrinkage(calendarDays: number): DayLogOdds {
  const years = calendarDays / 365;
  return { month: 1, weekday: years / (years + 1), holiday: 1 };
}

/** Returns the log-odds of the flight's day, before they are multiplied by `dayShrinkage`. */
export function dayLogOdds(
  query: FlightQuery,
  store: ScoreStore,
  holiday: HolidayDay = holidayOf(query, store),
): DayLogOdds {
  return {
    month: Math.log(store.monthOdds(monthOfYear(query.flightDate))),
    weekday: Math.log(store.weekdayOdds(isoWeekday(query.flightDate))),
    holiday: holiday.logOdds,
  };
}

/**
 * Returns the effect of holidays on a flight. It is the mean of two effects, one for the country of each airport. The
 * effect of a country without evidence is 0, which is average. `name` is the special day at the origin, such as
 * Thanksgiving Sunday. If the origin has no special day, `name` is the special day at the destination.
 */
export const holidayOf = memoizeFlight(({ origin, dest, flightDate }, store): HolidayDay => {
  const from = holidayAt(origin, flightDate, store);
  const to = holidayAt(dest, flightDate, store);
  const logOdds = ((from?.logOdds ?? 0) + (to?.logOdds ?? 0)) / 2;
  const name = from?.name ?? to?.name;
  return name === undefined ? { logOdds } : { name, logOdds };
});

function holidayAt(iata: string, date: string, store: ScoreStore): HolidayDay | undefined {
  const airport = store.airport(iata);
  return airport && store.holidayDay(airport.countryCode, date);
}

/**
 * Returns half-year and season depth of a date. The half-year is S from April to September, otherwise W. The depth is 1
 * in July and January, and 0 in April and October. Effects by half-year grow and fade with the depth: for example,
 * summer thunderstorms delay evening flights. `warehouse/sql/effects/groups.sql` computes the same values as
 * `half_year` and `season_depth`.
 */
export function seasonOf(date: string): Season {
  return SEASONS[monthOfYear(date) - 1] as Season;
}

const SEASONS = Array.from({ length: 12 }, (_, at): Season => {
  const cosine = Math.cos((2 * Math.PI * (at - 6)) / 12);
  return { halfYear: at >= 3 && at <= 8 ? 'S' : 'W', depth: Math.abs(Number(cosine.toFixed(6))) };
});
