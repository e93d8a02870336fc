import { setImmediate } from 'node:timers/promises';
import { expectedOdds, hourlyOdds } from '../../models/effect-odds.ts';
import { hoursMeant } from '../../models/expectation.ts';
import type { AirlineRoute, ScoreStore } from '../../warehouse/store/types.ts';

/** A day of each half of the year; effects differ between the halves, not within. */
const HALVES = { summer: '2025-07-01', winter: '2025-01-01' };

/** Stands for all hours together. */
const ALL_HOURS = -1;

/** Airline-routes worked out before others have their turn: some 20 ms. */
const ROUTES_AT_ONCE = 100;

export type FlightOddsRow = { hour: number } & Record<
  `${keyof typeof HALVES}_${'delay' | 'congestion'}`,
  number
>;

/**
 * What the effects of every airline-route add up to: over all hours it leaves in, and in each of them. The rows of the
 * store's table `flight_odds`, worked out when it is published so that no request has to. It takes seconds, more on a busy
 * machine, and gives way to others now and then: the lock of a job that cannot be renewed for ten is lost.
 */
export async function flightOddsRows(store: ScoreStore): Promise<FlightOddsRow[]> {
  const rows: FlightOddsRow[] = [];
  for (const [at, flight] of [...store.airlineRoutes()].entries()) {
    if (at % ROUTES_AT_ONCE === 0) await setImmediate();
    const [summer, winter] = [
      ofHalf(flight, HALVES.summer, store),
      ofHalf(flight, HALVES.winter, store),
    ];
    for (const [place, { hour, odds }] of summer.entries()) {
      const inWinter = winter[place]?.odds ?? odds;
      rows.push({
        hour,
        summer_delay: odds.delay_rate,
        summer_congestion: odds.congestion,
        winter_delay: inWinter.delay_rate,
        winter_congestion: inWinter.congestion,
      });
    }
  }
  return rows;
}

/** Of all hours together, and of each. */
function ofHalf(flight: AirlineRoute, flightDate: string, store: ScoreStore) {
  const query = { ...flight, flightDate };
  const { depHours, shares } = hoursMeant(query, store);
  const hours = hourlyOdds(query, depHours, store).map((odds, at) => ({
    hour: depHours[at] as number,
    share: shares[at] as number,
    odds,
  }));
  const [only] = hours;
  if (only && Number.isNaN(only.hour)) return [{ hour: ALL_HOURS, odds: only.odds }];
  return [{ hour: ALL_HOURS, odds: expectedOdds(hours, store) }, ...hours];
}
