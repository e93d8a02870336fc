import { endOfAirline } from '../../../models/current-airlines.ts';
import { z } from 'zod';
import { round } from '../../../warehouse/ground/round.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import { airlineCode, readParams } from '../../schemas/params.ts';
import { resolveAirline } from '../../scoring/flight-query.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import { airportAddress, routeAddress } from '../views/places/addresses.ts';
import type { AirlineData, ComparedItem } from '../views/places/places-data.ts';
import { listComparisons, comparisonOf, bothEnds, type CodedComparison } from './comparisons.ts';
import { ratedAirlines } from './ranking.ts';
import { slotCountsGrid, lateShare, recentBody, recordEnds, totalsOf } from './records.ts';
import { largestRecord, servicesOf } from './services.ts';
import { placeName, routeName } from './place-names.ts';
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
    const services = servicesOf(store).byAirline.get(code) ?? [];
    const record = totalsOf(
      services.flatMap((one) => store.routeCarrier(one.origin, one.dest, one.carrier) ?? []),
    );
    const airports = listComparisons('origin_carrier', { carrier: code }, store);
    const routes = listComparisons('route_carrier', { carrier: code }, store);
    return {
      airline: { iata: airline.iata, name: airline.name, country: airline.country },
      record_ends: recordEnds(services, store),
      record,
      late_share: lateShare(record),
      network_share: round(store.network.delayedRate, 4),
      ended: endOfAirline(code, store) ?? null,
      usual: await riskNow(services, store),
      routes: services.length,
      by_month: slotCountsGrid('carrier', code, 12, store),
      usual_by_weekday: await riskGrid(flownNow(services, store), WEEKDAYS, store),
      compared: comparisonOf('carrier', code, store),
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

/** Returns the airline-routes of airlines that still exist. */
function flownNow(services: readonly AirlineRoute[], store: ScoreStore): AirlineRoute[] {
  return services.filter(({ carrier }) => endOfAirline(carrier, store) === undefined);
}

/** Returns the expected risk of the airline-routes; null if the airline no longer exists. */
function riskNow(services: readonly AirlineRoute[], store: ScoreStore) {
  return usualRisk(flownNow(services, store), store);
}

async function ratedAirports(
  all: readonly CodedComparison[],
  services: AirlineRoute[],
  store: ScoreStore,
): Promise<ComparedItem[]> {
  const byOrigin = Map.groupBy(services, ({ origin }) => origin);
  return Array.fromAsync(bothEnds(all, ITEMS_PER_END), async ({ codes: { origin }, compared }) => ({
    ...compared,
    code: origin,
    name: placeName(origin, store),
    address: airportAddress(origin),
    usual: await riskNow(byOrigin.get(origin) ?? [], store),
  }));
}

async function ratedRoutes(
  all: readonly CodedComparison[],
  store: ScoreStore,
): Promise<ComparedItem[]> {
  return Array.fromAsync(bothEnds(all, ITEMS_PER_END), async ({ codes, compared }) => {
    const { origin, dest } = codes;
    return {
      ...compared,
      code: `${origin}–${dest}`,
      name: routeName(origin, dest, store),
      address: routeAddress(origin, dest),
      usual: await riskNow([codes], store),
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
    usual: await riskNow([{ origin, dest, carrier }], store),
  }));
}
