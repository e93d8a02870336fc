import { z } from 'zod';
import { round } from '../../../warehouse/ground/round.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import { airlineCode, readParams } from '../../schemas/params.ts';
import { knownAirline } from '../../scoring/flight-query.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { airportAddress, routeAddress } from '../views/places/addresses.ts';
import type { AirlineData, Rated } from '../views/places/places-data.ts';
import { comparedAmong, comparedOf, endsOf, type ComparedAmong } from './compared.ts';
import { ratedAirlines } from './ranking.ts';
import { countedGrid, lateShare, recentBody, recordEnds, totalsOf } from './records.ts';
import { servicesOf } from './services.ts';
import { placeName, routeName } from './place-names.ts';
import { riskGrid, usualRisk, WEEKDAYS } from './usual.ts';

const airlineQuestion = z.object({ airline: airlineCode });

const BUSIEST = 12;
/** Of those compared, so many of the least late and of the latest. */
const EACH_END = 10;

/** An airline: its record, what is to be expected of it now, and how it compares with others on its routes. */
export const airlineEndpoint: Endpoint = {
  path: '/explorer/airline',
  restsOn: 'store',
  question: airlineQuestion,
  answer: async (query, { stores }): Promise<AirlineData> => {
    const { airline: code } = readParams(query, airlineQuestion);
    const store = currentStore(stores);
    const airline = knownAirline(code, store);
    const services = servicesOf(store).of.get(code) ?? [];
    const record = totalsOf(
      services.flatMap((one) => store.routeCarrier(one.origin, one.dest, one.carrier) ?? []),
    );
    const airports = comparedAmong('origin_carrier', { carrier: code }, store);
    const routes = comparedAmong('route_carrier', { carrier: code }, store);
    return {
      airline: { iata: airline.iata, name: airline.name, country: airline.country },
      record_ends: recordEnds(services, store),
      record,
      late_share: lateShare(record),
      network_share: round(store.network.delayedRate, 4),
      usual: await usualRisk(services, store),
      routes: services.length,
      by_month: countedGrid('carrier', code, 12, store),
      usual_by_weekday: await riskGrid(services, WEEKDAYS, store),
      compared: comparedOf('carrier', code, store),
      rivals: await ratedAirlines(store),
      compared_airports: airports.length,
      compared_routes: routes.length,
      rated_airports: await ratedAirports(airports, services, store),
      rated_routes: await ratedRoutes(routes, store),
      busiest: await busiestOf(services, store),
      recent: recentBody('carrier', code, store),
    };
  },
};

async function ratedAirports(
  all: readonly ComparedAmong[],
  services: AirlineRoute[],
  store: ScoreStore,
): Promise<Rated[]> {
  const flown = Map.groupBy(services, ({ origin }) => origin);
  return Array.fromAsync(endsOf(all, EACH_END), async ({ codes: { origin }, compared }) => ({
    ...compared,
    code: origin,
    name: placeName(origin, store),
    address: airportAddress(origin),
    usual: await usualRisk(flown.get(origin) ?? [], store),
  }));
}

async function ratedRoutes(all: readonly ComparedAmong[], store: ScoreStore): Promise<Rated[]> {
  return Array.fromAsync(endsOf(all, EACH_END), async ({ codes, compared }) => {
    const { origin, dest } = codes;
    return {
      ...compared,
      code: `${origin}–${dest}`,
      name: routeName(origin, dest, store),
      address: routeAddress(origin, dest),
      usual: await usualRisk([codes], store),
    };
  });
}

async function busiestOf(
  services: AirlineRoute[],
  store: ScoreStore,
): Promise<AirlineData['busiest']> {
  const busiest = services
    .map((one) => ({
      ...one,
      flights: store.routeCarrier(one.origin, one.dest, one.carrier)?.flightCount ?? 0,
    }))
    .toSorted((a, b) => b.flights - a.flights)
    .slice(0, BUSIEST);
  return Array.fromAsync(busiest, async ({ origin, dest, carrier, flights }) => ({
    origin,
    dest,
    name: routeName(origin, dest, store),
    flights,
    usual: await usualRisk([{ origin, dest, carrier }], store),
  }));
}
