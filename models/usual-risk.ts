import type { ScoreStore } from '../warehouse/store/types.ts';
import { operatedHours, type Service } from './sold-airlines.ts';
import { expit } from '../warehouse/ground/log-odds.ts';
import { effectOdds, expectedLogOdds } from './effect-odds.ts';
import { dayShrinkage, seasonOf } from './season.ts';
import type { FlightQuery } from './types.ts';

/** A selection of days: a month (1 to 12), an ISO weekday, both, or all days. */
export type Days = { month?: number; weekday?: number };

/**
 * Flights in one hour of the day. Newer flights have more weight. `share` is the share of these flights that was late
 * or cancelled.
 */
export type UsualHour = { flights: number; share: number };

/**
 * Returns the expected share of flights that are more than 30 minutes late or cancelled. There is one share for each
 * departure hour (0 to 23), over all of the airline-routes. For a brand, the flights of its operators are used. The
 * shares come from the statistics of the score, without weather, holidays and events.
 */
export function usualHours(
  services: Iterable<Service>,
  days: Days,
  store: ScoreStore,
): UsualHour[] {
  const level = expectedLogOdds(store) + weekdayLogOdds(days.weekday, store);
  const shareOf = days.month === undefined ? yearShare : monthShare(days.month, store);
  const [flights, disrupted] = [new Float64Array(HOURS), new Float64Array(HOURS)];
  for (const { route, departures } of operatedHours(services, store)) {
    const { origin, dest, carrier } = route;
    const rates = store.routeCarrier(origin, dest, carrier);
    if (!rates) continue;
    const { delayedRate, cancelledRate } = rates;
    const baseLogOdds = level + Math.log1p(cancelledRate / ((1 - cancelledRate) * delayedRate));
    for (let hour = 0; hour < HOURS; hour++) {
      const count = departures[hour] as number;
      if (count <= 0) continue;
      const share = shareOf({ origin, dest, carrier, crsDepHour: hour }, baseLogOdds, store);
      flights[hour] = (flights[hour] as number) + count;
      disrupted[hour] = (disrupted[hour] as number) + count * share;
    }
  }
  return Array.from(flights, (count, hour) => ({
    flights: count,
    share: count === 0 ? 0 : (disrupted[hour] as number) / count,
  }));
}

/** Returns the share over all hours; undefined without flights. */
export function usualShare(hours: readonly UsualHour[]): number | undefined {
  const flights = hours.reduce((sum, hour) => sum + hour.flights, 0);
  if (flights === 0) return undefined;
  return hours.reduce((sum, hour) => sum + hour.flights * hour.share, 0) / flights;
}

const HOURS = 24;

/**
 * Returns the expected probability that a flight is late or cancelled. `baseLogOdds` are the flight's log-odds without
 * the effects of its groups and of the month.
 */
type ShareOf = (
  flight: Omit<FlightQuery, 'flightDate'>,
  baseLogOdds: number,
  store: ScoreStore,
) => number;

function monthShare(month: number, store: ScoreStore): ShareOf {
  const flightDate = firstDayOf(month);
  const logOdds = Math.log(store.monthOdds(month));
  return (flight, baseLogOdds) =>
    expit(baseLogOdds + logOdds + effectOdds({ ...flight, flightDate }, store));
}

/**
 * Returns the mean share over the months. Effects change linearly with the season depth, so three months are enough to
 * compute the effects of all twelve.
 */
const yearShare: ShareOf = (flight, baseLogOdds, store) => {
  const effectsInMonth = (month: number) =>
    effectOdds({ ...flight, flightDate: firstDayOf(month) }, store);
  const atMidpoint = effectsInMonth(APRIL);
  const addedAtPeak = {
    S: effectsInMonth(JULY) - atMidpoint,
    W: effectsInMonth(JANUARY) - atMidpoint,
  };
  let share = 0;
  for (const { halfYear, depth } of SEASONS) {
    share += expit(baseLogOdds + atMidpoint + depth * addedAtPeak[halfYear]) / SEASONS.length;
  }
  return share;
};

const [JANUARY, APRIL, JULY] = [1, 4, 7];

/**
 * The first day of each month. The year does not matter, because effects do not depend on it. The days are computed
 * once, because a map needs them for each route and hour.
 */
const FIRST_DAYS = Array.from(
  { length: 12 },
  (_, at) => `2025-${String(at + 1).padStart(2, '0')}-01`,
);

const SEASONS = FIRST_DAYS.map(seasonOf);

function firstDayOf(month: number): string {
  return FIRST_DAYS[month - 1] as string;
}

function weekdayLogOdds(weekday: number | undefined, store: ScoreStore): number {
  if (weekday === undefined) return 0;
  const { calendarDays } = store.network;
  return dayShrinkage(calendarDays).weekday * Math.log(store.weekdayOdds(weekday));
}
