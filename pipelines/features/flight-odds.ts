import { setImmediate } from 'node:timers/promises';
import { expectedOdds, hourlyOdds } from '../../models/effect-odds.ts';
import { hourSharesOf } from '../../models/hour-shares.ts';
import type { AirlineRoute, ScoreStore } from '../../warehouse/store/types.ts';
import { ALL_HOURS } from '../../warehouse/ground/hours.ts';

/**
 * Dates for which the seasonal effects are computed. The season depth is 0 at the midpoint and 1 at the peaks. Between
 * these dates, the effects change linearly.
 */
const SPRING_MIDPOINT = '2025-04-01';
const SUMMER_PEAK = '2025-07-01';
const WINTER_PEAK = '2025-01-01';

/** Number of airline-routes to compute before yielding to other work; computing this many takes about 20 ms. */
const ROUTES_PER_BATCH = 100;

export type FlightOddsRow = {
  hour: number;
  log_odds: number;
  summer_log_odds: number;
  winter_log_odds: number;
};

/**
 * Computes the summed effects of every airline-route, for each hour and for all hours together. The publish stores
 * these sums in the table `flight_odds`, so that no request has to compute them. The computation takes seconds. A job
 * loses its lock if it cannot renew the lock for ten seconds, so the function yields regularly.
 */
export async function flightOddsRows(store: ScoreStore): Promise<FlightOddsRow[]> {
  const rows: FlightOddsRow[] = [];
  for (const [at, flight] of [...store.airlineRoutes()].entries()) {
    if (at % ROUTES_PER_BATCH === 0) await setImmediate();
    const [midpoint, summer, winter] = [SPRING_MIDPOINT, SUMMER_PEAK, WINTER_PEAK].map((date) =>
      oddsOn(flight, date, store),
    );
    for (const [index, { hour, odds }] of (midpoint ?? []).entries()) {
      rows.push({
        hour,
        log_odds: odds,
        summer_log_odds: summer?.[index]?.odds ?? odds,
        winter_log_odds: winter?.[index]?.odds ?? odds,
      });
    }
  }
  return rows;
}

/** Returns the summed effects for all hours together, and for each hour. */
function oddsOn(flight: AirlineRoute, flightDate: string, store: ScoreStore) {
  const query = { ...flight, flightDate };
  const { depHours, shares } = hourSharesOf(query, store);
  const hours = hourlyOdds(query, depHours, store).map((odds, at) => ({
    hour: depHours[at] as number,
    share: shares[at] as number,
    odds,
  }));
  const [single] = hours;
  if (single && Number.isNaN(single.hour)) return [{ hour: ALL_HOURS, odds: single.odds }];
  return [{ hour: ALL_HOURS, odds: expectedOdds(hours, store) }, ...hours];
}
