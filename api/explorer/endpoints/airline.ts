import { endOfAirline } from '../../../models/current-airlines.ts';
import { z } from 'zod';
import { round } from '../../../warehouse/ground/numbers.ts';
import { statsOf } from '../../../models/brands.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { airlineCode, readParams } from '../../schemas/params.ts';
import { resolveAirline } from '../../scoring/flight-query.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { airportAddress, routeAddress } from '../views/places/addresses.ts';
import type { AirlineData, ComparedItem } from '../views/places/places-data.ts';
import { bothEnds, type CodedComparison } from './comparisons.ts';
import { ratedAirline, ratedAirlines } from './ranking.ts';
import { slotCountsGrid, lateShare, recentBody, recordEnds, totalsOf } from './records.ts';
import { largestRecord } from './services.ts';
import { comparisonsBy, inferredIn, operatorsOfAll, sellerBodies, servicesBy } from './sold.ts';
import { placeName } from '../../presenters/names.ts';
import { routeName } from './place-names.ts';
import { riskGrid, usualRisk, WEEKDAYS } from './usual.ts';

const airlineParams = z.object({ airline: airlineCode });

const BUSIEST = 12;
/** Number of items to show from each end of a sorted list. */
const ITEMS_PER_END = 10;

/**
 * Data of the page of an airline: its record, its usual risk, and a comparison with other airlines on the same routes.
 */
export const airlineEndpoint: Endpoint = {
  path: '/explorer/airline',
  restsOn: 'store',
  params: airlineParams,
  answer: async (query, { stores }): Promise<AirlineData> => {
    const { airline: code } = readParams(query, airlineParams);
    const store = largestRecord('byAirline', code, currentStore(stores));
    const airline = resolveAirline(code, store);
    const services = servicesBy(code, store);
    const record = totalsOf(services.flatMap((one) => statsOf(one, store) ?? []));
    const airports = comparisonsBy(code, 'origin_carrier', store);
    const routes = comparisonsBy(code, 'route_carrier', store);
    return {
      airline: { iata: airline.iata, name: airline.name, country: airline.country },
      record_ends: recordEnds(services, store),
      record,
      late_share: lateShare(record),
      network_share: round(store.network.delayedRate, 4),
      ended: endOfAirline(code, store) ?? null,
      usual: await riskNow(services, store),
      routes: services.length,
      by_month:
        slotCountsGrid('brand', code, 12, store) ?? slotCountsGrid('carrier', code, 12, store),
      usual_by_weekday: await riskGrid(flownNow(services, store), WEEKDAYS, store),
      compared: comparisonsBy(code, 'carrier', store)[0]?.compared ?? null,
      rivals: await rivalsOf(code, services, store),
      compared_airports: airports.length,
      compared_routes: routes.length,
      rated_airports: await ratedAirports(airports, services, store),
      rated_routes: await ratedRoutes(routes, services, store),
      busiest: await busiestOf(services, store),
      recent: recentBody('carrier', code, store),
      operators: isBrand(services) ? operatorsOfAll(services, store) : [],
      sellers: sellerBodies(code, store),
      inferred: inferredIn(services, store),
    };
  },
};

function isBrand(services: readonly Service[]): boolean {
  return services.some((one) => one.isBrand);
}

/**
 * Returns all airlines that sell flights. Also returns the airline of the page if that airline only operates flights
 * for other airlines.
 */
async function rivalsOf(code: string, services: Service[], store: ScoreStore) {
  const rated = await ratedAirlines(store);
  if (rated.some((one) => one.code === code)) return rated;
  const own = comparisonsBy(code, 'carrier', store);
  return [
    ...rated,
    ...(await Promise.all(own.map((one) => ratedAirline(one, services, store)))),
  ].toSorted((a, b) => a.ratio - b.ratio);
}

/** Returns the airline-routes of airlines that still exist. */
function flownNow(services: readonly Service[], store: ScoreStore): Service[] {
  return services.filter(({ carrier }) => endOfAirline(carrier, store) === undefined);
}

/** Returns the expected risk of the airline-routes; null if the airline no longer exists. */
function riskNow(services: readonly Service[], store: ScoreStore) {
  return usualRisk(flownNow(services, store), store);
}

async function ratedAirports(
  all: readonly CodedComparison[],
  services: Service[],
  store: ScoreStore,
): Promise<ComparedItem[]> {
  const byOrigin = Map.groupBy(services, ({ origin }) => origin);
  return Array.fromAsync(bothEnds(all, ITEMS_PER_END), async ({ codes: { origin }, compared }) => ({
    ...compared,
    code: origin,
    name: placeName(origin, store),
    address: airportAddress(origin),
    inferred: inferredIn(byOrigin.get(origin) ?? [], store),
    usual: await riskNow(byOrigin.get(origin) ?? [], store),
  }));
}

async function ratedRoutes(
  all: readonly CodedComparison[],
  services: Service[],
  store: ScoreStore,
): Promise<ComparedItem[]> {
  const byRoute = Map.groupBy(services, ({ origin, dest }) => origin + dest);
  return Array.fromAsync(bothEnds(all, ITEMS_PER_END), async ({ codes, compared }) => {
    const { origin, dest } = codes;
    const own = byRoute.get(origin + dest) ?? [];
    return {
      ...compared,
      code: `${origin}–${dest}`,
      name: routeName(origin, dest, store),
      address: routeAddress(origin, dest),
      inferred: inferredIn(own, store),
      usual: await riskNow(own, store),
    };
  });
}

async function busiestOf(services: Service[], store: ScoreStore): Promise<AirlineData['busiest']> {
  const busiest = services
    .map((one) => ({
      ...one,
      flights: statsOf(one, store)?.flightCount ?? 0,
    }))
    .toSorted((a, b) => b.flights - a.flights)
    .slice(0, BUSIEST);
  return Array.fromAsync(busiest, async ({ flights, ...service }) => ({
    origin: service.origin,
    dest: service.dest,
    name: routeName(service.origin, service.dest, store),
    flights,
    usual: await riskNow([service], store),
    inferred: inferredIn([service], store),
  }));
}
