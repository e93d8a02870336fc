import type { AirlineRoute, ScoreStore } from '../warehouse/store/types.ts';
import { expit } from '../warehouse/ground/log-odds.ts';
import { effectOdds, expectedLogOdds } from './effect-odds.ts';
import { dayBelief, seasonOf } from './season.ts';
import type { FlightQuery } from './types.ts';

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
  const shareOf = days.month === undefined ? yearShare : monthShare(days.month, store);
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
      const share = shareOf({ origin, dest, carrier, crsDepHour: hour }, own, store);
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

/** The share to expect of a flight, given its log-odds without the effects of its groups and its month. */
type ShareOf = (flight: Omit<FlightQuery, 'flightDate'>, own: number, store: ScoreStore) => number;

function monthShare(month: number, store: ScoreStore): ShareOf {
  const flightDate = firstOf(month);
  const logOdds = Math.log(store.monthOdds(month));
  return (flight, own) => expit(own + logOdds + effectsOf({ ...flight, flightDate }, store));
}

/** All months together, each as an average one. Effects grow with the depth of a season: those at its turns and deepest do for all. */
const yearShare: ShareOf = (flight, own, store) => {
  const inMonth = (month: number) => effectsOf({ ...flight, flightDate: firstOf(month) }, store);
  const turn = inMonth(APRIL);
  const deepest = { S: inMonth(JULY) - turn, W: inMonth(JANUARY) - turn };
  let share = 0;
  for (const { halfYear, depth } of SEASONS) {
    share += expit(own + turn + depth * deepest[halfYear]) / SEASONS.length;
  }
  return share;
};

const [JANUARY, APRIL, JULY] = [1, 4, 7];

/** A day of each month, in a year that makes no difference to effects; made once, as a map asks for each hour of each route. */
const FIRST_DAYS = Array.from(
  { length: 12 },
  (_, at) => `2025-${String(at + 1).padStart(2, '0')}-01`,
);

const SEASONS = FIRST_DAYS.map(seasonOf);

function firstOf(month: number): string {
  return FIRST_DAYS[month - 1] as string;
}

function effectsOf(flight: FlightQuery, store: ScoreStore): number {
  const { delay_rate, congestion } = effectOdds(flight, store);
  return delay_rate + congestion;
}

function weekdayLogOdds(weekday: number | undefined, store: ScoreStore): number {
  if (weekday === undefined) return 0;
  const { calendarDays } = store.network;
  return dayBelief(calendarDays).weekday * Math.log(store.weekdayOdds(weekday));
}
