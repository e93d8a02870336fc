import type { Airport, ScoreStore } from '../warehouse/store/types.ts';
import type { FlightQuery } from './types.ts';

/** Odds of delay on a day against an average one, by what makes them; 1 is average. */
export type DayOdds = { month: number; weekday: number; holiday: number };

/** The odds of the flight's day; of both ends' holidays the one that raises them more counts. */
export function dayOdds(query: FlightQuery, store: ScoreStore): DayOdds {
  const { origin, dest, flightDate } = query;
  const ends = [store.airport(origin), store.airport(dest)];
  return {
    month: store.monthOdds(Number(flightDate.slice(5, 7))),
    weekday: store.weekdayOdds(isoWeekday(flightDate)),
    holiday: Math.max(...ends.map((end) => holidayOdds(end, flightDate, store))),
  };
}

/** 1 Monday to 7 Sunday. */
export function isoWeekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

function holidayOdds(airport: Airport | undefined, date: string, store: ScoreStore): number {
  const days = airport && store.holidayDistance(airport.countryCode, date);
  return days === undefined ? 1 : store.holidayOdds(days);
}
