import { z } from 'zod';
import { round } from '../../../warehouse/ground/round.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import { readParams, routeParams } from '../../schemas/params.ts';
import { knownAirport } from '../../scoring/flight-query.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import type { AirportData, Rated } from '../views/places/places-data.ts';
import { airlineAddress, routeAddress } from '../views/places/addresses.ts';
import { comparedAmong, comparedOf, endsOf, type ComparedAmong } from './compared.ts';
import { countedGrid, lateShare, recentBody, recordEnds, totalsOf } from './records.ts';
import { servicesOf } from './services.ts';
import { airportName, cityOf, placeName } from './place-names.ts';
import { riskGrid, usualRisk, WEEKDAYS } from './usual.ts';

const airportQuestion = z.object({ airport: routeParams.shape.origin });

/** Routes that are listed for having most flights. */
const BUSIEST = 12;
/** Of those compared, so many of the least late and of the latest. */
const EACH_END = 10;

/** An airport: its record, what is to be expected there now, and how its routes and airlines compare. */
export const airportEndpoint: Endpoint = {
  path: '/explorer/airport',
  restsOn: 'store',
  question: airportQuestion,
  answer: async (query, { stores }): Promise<AirportData> => {
    const { airport: code } = readParams(query, airportQuestion);
    const store = currentStore(stores);
    const airport = knownAirport('airport', code, store);
    const { from, to } = servicesOf(store);
    const departures = from.get(code) ?? [];
    const routes = [...Map.groupBy(departures, ({ dest }) => dest)];
    const record = totalsOf(
      departures.flatMap((one) => store.routeCarrier(one.origin, one.dest, one.carrier) ?? []),
    );
    const comparedRoutes = comparedAmong('route', { origin: code }, store);
    return {
      airport: { ...airportName(airport), time_zone: airport.timeZone },
      record_ends: recordEnds(departures, store),
      record,
      late_share: lateShare(record),
      network_share: round(store.network.delayedRate, 4),
      usual: {
        departures: await usualRisk(departures, store),
        arrivals: await usualRisk(to.get(code) ?? [], store),
      },
      routes: routes.length,
      by_month: countedGrid('origin', code, 12, store),
      by_weekday: countedGrid('origin_weekday', code, 7, store),
      usual_by_weekday: await riskGrid(departures, WEEKDAYS, store),
      compared: {
        departures: comparedOf('origin', code, store),
        arrivals: comparedOf('dest', code, store),
      },
      airlines: await airlinesAt(code, departures, store),
      rated_routes: await ratedRoutes(comparedRoutes, departures, store),
      compared_routes: comparedRoutes.length,
      busiest: await busiestFrom(code, routes, store),
      recent: recentBody('dest', code, store),
    };
  },
};

async function airlinesAt(
  code: string,
  departures: AirlineRoute[],
  store: ScoreStore,
): Promise<Rated[]> {
  const flown = Map.groupBy(departures, ({ carrier }) => carrier);
  const all = comparedAmong('origin_carrier', { origin: code }, store);
  return Array.fromAsync(all, async ({ codes: { carrier }, compared }) => ({
    ...compared,
    code: carrier,
    name: store.airline(carrier)?.name ?? carrier,
    address: airlineAddress(carrier),
    usual: await usualRisk(flown.get(carrier) ?? [], store),
  }));
}

async function ratedRoutes(
  all: readonly ComparedAmong[],
  departures: AirlineRoute[],
  store: ScoreStore,
): Promise<Rated[]> {
  const flown = Map.groupBy(departures, ({ dest }) => dest);
  return Array.fromAsync(endsOf(all, EACH_END), async ({ codes: { origin, dest }, compared }) => ({
    ...compared,
    code: dest,
    name: placeName(dest, store),
    address: routeAddress(origin, dest),
    usual: await usualRisk(flown.get(dest) ?? [], store),
  }));
}

async function busiestFrom(
  code: string,
  routes: [string, AirlineRoute[]][],
  store: ScoreStore,
): Promise<AirportData['busiest']> {
  const busiest = routes
    .map(([dest, services]) => ({
      dest,
      services,
      flights: store.route(code, dest)?.flightCount ?? 0,
    }))
    .toSorted((a, b) => b.flights - a.flights || (a.dest < b.dest ? -1 : 1))
    .slice(0, BUSIEST);
  return Array.fromAsync(busiest, async ({ dest, services, flights }) => ({
    dest,
    city: cityOf(dest, store),
    flights,
    usual: await usualRisk(services, store),
  }));
}
