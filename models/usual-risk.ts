import type { AirlineRoute, ScoreStore } from '../warehouse/store/types.ts';
import { expit } from '../warehouse/ground/log-odds.ts';
import { effectOdds, expectedLogOdds } from './effect-odds.ts';
import { dayBelief } from './season.ts';

/** Of which days: a month (1 to 12) and an ISO weekday, or all of them. */
export type Days = { month?: number; weekday?: number };

/** Flights of an hour, by how many there are in the history, newer ones weighing more; `share`: of them late or cancelled. */
export type UsualHour = { flights: number; share: number };

/**
 * The share of flights to expect more than 30 minutes late or cancelled, hour by hour of departure (0 to 23), of those
 * airline-routes together: what the statistics of a score say of each, without weather, holidays and events. An hour
 * they do not leave in has no flights.
 */
export function usualHours(
  services: Iterable<AirlineRoute>,
  days: Days,
  store: ScoreStore,
): UsualHour[] {
  const level = expectedLogOdds(store) + weekdayLogOdds(days.weekday, store);
  const parts = days.month === undefined ? WHOLE_YEAR : [partOf(days.month, store)];
  const [flights, troubled] = [new Float64Array(HOURS), new Float64Array(HOURS)];
  for (const { origin, dest, carrier } of services) {
    const leaving = store.departureHours(origin, dest, carrier);
    const rates = store.routeCarrier(origin, dest, carrier);
    if (!leaving || !rates) continue;
    const { delayedRate, cancelledRate } = rates;
    const own = level + Math.log1p(cancelledRate / ((1 - cancelledRate) * delayedRate));
    for (let hour = 0; hour < HOURS; hour++) {
      const count = leaving[hour] as number;
      if (count <= 0) continue;
      let share = 0;
      for (const { flightDate, logOdds } of parts) {
        const flight = { origin, dest, carrier, crsDepHour: hour, flightDate };
        const { delay_rate, congestion } = effectOdds(flight, store);
        share += expit(own + logOdds + delay_rate + congestion) / parts.length;
      }
      flights[hour] = (flights[hour] as number) + count;
      troubled[hour] = (troubled[hour] as number) + count * share;
    }
  }
  return Array.from(flights, (count, hour) => ({
    flights: count,
    share: count === 0 ? 0 : (troubled[hour] as number) / count,
  }));
}

/** All hours together; undefined without flights. */
export function usualShare(hours: readonly UsualHour[]): number | undefined {
  const flights = hours.reduce((sum, hour) => sum + hour.flights, 0);
  if (flights === 0) return undefined;
  return hours.reduce((sum, hour) => sum + hour.flights * hour.share, 0) / flights;
}

const HOURS = 24;

/** Effects differ between the halves of the year, not within: a day of each will do. */
const SUMMER = '2025-07-01';
const WINTER = '2025-01-01';

type Part = { flightDate: string; logOdds: number };

/** Both halves of the year, as on average days. */
const WHOLE_YEAR: readonly Part[] = [
  { flightDate: SUMMER, logOdds: 0 },
  { flightDate: WINTER, logOdds: 0 },
];

function partOf(month: number, store: ScoreStore): Part {
  const flightDate = month >= 4 && month <= 9 ? SUMMER : WINTER;
  return { flightDate, logOdds: Math.log(store.monthOdds(month)) };
}

function weekdayLogOdds(weekday: number | undefined, store: ScoreStore): number {
  if (weekday === undefined) return 0;
  const { calendarDays } = store.network;
  return dayBelief(calendarDays).weekday * Math.log(store.weekdayOdds(weekday));
}
