import { monthAfter1970 } from '../../../warehouse/store/record-months.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { localDay } from '../../local-day.ts';
import { calendarBodyOf } from '../../presenters/calendar-body.ts';
import { calendarDay, daysOf } from '../../routes/calendar.ts';
import { NEAR_DAYS } from '../../scoring/alternatives.ts';
import { scorableDates, type KnownFlight } from '../../scoring/flight-query.ts';
import { memoizeLive } from './memoize-live.ts';
import { mapInSlices } from './time-slices.ts';

/**
 * Returns the calendars of the flight's month and a neighbouring month: the next one, or the previous one if it is
 * nearer.
 */
export async function monthsOf(flight: KnownFlight, store: ScoreStore, deps: ApiDeps) {
  const { origin, dest, airline, query } = flight;
  const dates = scorableDates(origin, deps.now());
  const own = query.flightDate.slice(0, 7);
  const [before, after] = [addMonths(own, -1), addMonths(own, 1)];
  // If the flight is early in its month, some of the nearby days are in the previous month.
  const showsPreviousMonth =
    Number(query.flightDate.slice(8)) <= NEAR_DAYS &&
    localDay(origin.timeZone, deps.now()).date.slice(0, 7) < own;
  const pair = showsPreviousMonth || after > dates.last.slice(0, 7) ? [before, own] : [own, after];
  const service = { origin, dest, airline };
  const { flightDate: _, ...undated } = query;
  const { carrier, crsDepHour } = query;
  const context = { store, service, undated, dates };
  const months = pair.filter((month) => month >= dates.first.slice(0, 7));
  return Array.fromAsync(months, async (month) => {
    const keyParts = ['month', query.origin, query.dest, carrier, crsDepHour, month];
    return memoizeLive(keyParts, { store, deps }, async () => {
      const days = await mapInSlices(daysOf(month), (date) => calendarDay(date, context, deps));
      return {
        answer: calendarBodyOf(context, month, days),
        hasEvents: days.some(({ assessment }) => assessment?.danger !== undefined),
      };
    });
  });
}

function addMonths(month: string, by: number): string {
  const [year, monthOfYear] = month.split('-').map(Number) as [number, number];
  return monthAfter1970(12 * (year - 1970) + monthOfYear - 1 + by);
}
