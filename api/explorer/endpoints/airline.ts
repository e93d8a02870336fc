import { z } from 'zod';
import { round } from '../../../warehouse/ground/round.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import { airlineCode, readParams } from '../../schemas/params.ts';
import { knownAirline } from '../../scoring/flight-query.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { airportAddress, routeAddress } from '../views/places/addresses.ts';
import type { AirlineData, Rated } from '../views/places/places-data.ts';
import { comparedAmong, comparedOf, endsOf } from './compared.ts';
import { ratedAirlines } from './ranking.ts';
import { countedGrid, lateShare, recentBody, recordEnds, totalsOf } from './records.ts';
import { servicesOf } from './services.ts';
import { placeName } from './place-names.ts';
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
      compared_airports: countOf('origin_carrier', 3, code, store),
      compared_routes: countOf('route_carrier', 6, code, store),
      rated_airports: await airportsOf(code, services, store),
      rated_routes: await routesOf(code, store),
      busiest: await busiestOf(services, store),
      recent: recentBody('carrier', code, store),
    };
  },
};

async function airportsOf(
  code: string,
  services: AirlineRoute[],
  store: ScoreStore,
): Promise<Rated[]> {
  const flown = Map.groupBy(services, ({ origin }) => origin);
  const all = comparedAmong('origin_carrier', (key) => key.slice(3) === code, store);
  return Array.fromAsync(endsOf(all, EACH_END), async ({ key, ...compared }) => {
    const airport = key.slice(0, 3);
    return {
      ...compared,
      code: airport,
      name: placeName(airport, store),
      address: airportAddress(airport),
      usual: await usualRisk(flown.get(airport) ?? [], store),
    };
  });
}

async function routesOf(code: string, store: ScoreStore): Promise<Rated[]> {
  const all = comparedAmong('route_carrier', (key) => key.slice(6) === code, store);
  return Array.fromAsync(endsOf(all, EACH_END), async ({ key, ...compared }) => {
    const [origin, dest] = [key.slice(0, 3), key.slice(3, 6)];
    return {
      ...compared,
      code: `${origin}–${dest}`,
      name: `${store.airport(origin)?.city || origin} to ${store.airport(dest)?.city || dest}`,
      address: routeAddress(origin, dest),
      usual: await usualRisk([{ origin, dest, carrier: code }], store),
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
    name: `${store.airport(origin)?.city || origin} to ${store.airport(dest)?.city || dest}`,
    flights,
    usual: await usualRisk([{ origin, dest, carrier }], store),
  }));
}

/** How many of a kind end with that code. */
function countOf(
  kind: 'origin_carrier' | 'route_carrier',
  from: number,
  code: string,
  store: ScoreStore,
): number {
  return store.comparisons(kind).filter(({ key }) => key.slice(from) === code).length;
}
