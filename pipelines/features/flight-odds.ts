import { setImmediate } from 'node:timers/promises';
import { expectedOdds, hourlyOdds } from '../../models/effect-odds.ts';
import { hoursMeant } from '../../models/hours-meant.ts';
import { ALL_HOURS } from '../../warehouse/ground/hours.ts';
import type { AirlineRoute, ScoreStore } from '../../warehouse/store/types.ts';

/** Days between which what effects add up to moves with the season: the depth of `seasonOf` is 0 on the first, 1 on the others. */
const EQUINOX = '2025-04-01';
const SUMMER = '2025-07-01';
const WINTER = '2025-01-01';

/** Airline-routes worked out before others have their turn: some 20 ms. */
const ROUTES_AT_ONCE = 100;

export type FlightOddsRow = {
  hour: number;
  delay: number;
  congestion: number;
  summer_delay: number;
  summer_congestion: number;
  winter_delay: number;
  winter_congestion: number;
};

/**
 * What the effects of every airline-route add up to: over all hours it leaves in, and in each of them. The rows of the
 * store's table `flight_odds`, worked out when it is published so that no request has to. It takes seconds, more on a busy
 * machine, and gives way to others now and then: the lock of a job that cannot be renewed for ten is lost.
 */
export async function flightOddsRows(store: ScoreStore): Promise<FlightOddsRow[]> {
  const rows: FlightOddsRow[] = [];
  for (const [at, flight] of [...store.airlineRoutes()].entries()) {
    if (at % ROUTES_AT_ONCE === 0) await setImmediate();
    const [between, summer, winter] = [EQUINOX, SUMMER, WINTER].map((date) =>
      onDay(flight, date, store),
    );
    for (const [place, { hour, odds }] of (between ?? []).entries()) {
      const inSummer = summer?.[place]?.odds ?? odds;
      const inWinter = winter?.[place]?.odds ?? odds;
      rows.push({
        hour,
        delay: odds.delay_rate,
        congestion: odds.congestion,
        summer_delay: inSummer.delay_rate,
        summer_congestion: inSummer.congestion,
        winter_delay: inWinter.delay_rate,
        winter_congestion: inWinter.congestion,
      });
    }
  }
  return rows;
}

/** Of all hours together, and of each. */
function onDay(flight: AirlineRoute, flightDate: string, store: ScoreStore) {
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
