import { endOfAirline } from '../../../models/current-airlines.ts';
import { z } from 'zod';
import { round } from '../../../warehouse/ground/numbers.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import { readParams, routeParams } from '../../schemas/params.ts';
import { resolveAirport } from '../../scoring/flight-query.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import type { AirportData, ComparedItem } from '../views/places/places-data.ts';
import { routeAddress } from '../views/places/addresses.ts';
import { ratedAirline } from './ranking.ts';
import { soldComparisons, soldServicesOf } from './sold.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import { listComparisons, comparisonOf, bothEnds, type CodedComparison } from './comparisons.ts';
import { slotCountsGrid, lateShare, recentBody, recordEnds, totalsOf } from './records.ts';
import { largestRecord, servicesOf } from './services.ts';
import { placeName } from '../../presenters/names.ts';
import { airportName, cityOf } from './place-names.ts';
import { riskGrid, usualRisk, WEEKDAYS } from './usual.ts';

const airportParams = z.object({ airport: routeParams.shape.origin });

/** Number of routes in the list of busiest routes. */
const BUSIEST = 12;
/** Number of items to show from each end of a sorted list. */
const ITEMS_PER_END = 10;

/** Data of the page of an airport: its record, its usual risk, and a comparison of its routes and airlines. */
export const airportEndpoint: Endpoint = {
  path: '/explorer/airport',
  restsOn: 'store',
  params: airportParams,
  answer: async (query, { stores }): Promise<AirportData> => {
    const { airport: code } = readParams(query, airportParams);
    const store = largestRecord('byOrigin', code, currentStore(stores));
    const airport = resolveAirport('airport', code, store);
    const { byOrigin, byDest } = servicesOf(store);
    const departures = byOrigin.get(code) ?? [];
    const routes = [...Map.groupBy(departures, ({ dest }) => dest)];
    const record = totalsOf(
      departures.flatMap((one) => store.routeCarrier(one.origin, one.dest, one.carrier) ?? []),
    );
    const comparedRoutes = listComparisons('route', { origin: code }, store);
    return {
      airport: { ...airportName(airport), time_zone: airport.timeZone },
      record_ends: recordEnds(departures, store),
      record,
      late_share: lateShare(record),
      network_share: round(store.network.delayedRate, 4),
      usual: {
        departures: await usualRisk(departures, store),
        arrivals: await usualRisk(byDest.get(code) ?? [], store),
      },
      routes: routes.length,
      by_month: slotCountsGrid('origin', code, 12, store),
      by_weekday: slotCountsGrid('origin_weekday', code, 7, store),
      usual_by_weekday: await riskGrid(departures, WEEKDAYS, store),
      compared: {
        departures: comparisonOf('origin', code, store),
        arrivals: comparisonOf('dest', code, store),
      },
      airlines: await airlinesAt(code, store),
      rated_routes: await ratedRoutes(comparedRoutes, departures, store),
      compared_routes: comparedRoutes.length,
      busiest: await busiestFrom(code, routes, store),
      recent: recentBody('dest', code, store),
    };
  },
};

async function airlinesAt(code: string, store: ScoreStore): Promise<ComparedItem[]> {
  const departures: Service[] = soldServicesOf(store).byOrigin.get(code) ?? [];
  const byAirline = Map.groupBy(departures, ({ carrier }) => carrier);
  const all = soldComparisons('origin_carrier', { origin: code }, store).filter(
    ({ codes: { carrier } }) => endOfAirline(carrier, store) === undefined,
  );
  return Array.fromAsync(all, (one) =>
    ratedAirline(one, byAirline.get(one.codes.carrier) ?? [], store),
  );
}

async function ratedRoutes(
  all: readonly CodedComparison[],
  departures: AirlineRoute[],
  store: ScoreStore,
): Promise<ComparedItem[]> {
  const byDest = Map.groupBy(departures, ({ dest }) => dest);
  return Array.fromAsync(
    bothEnds(all, ITEMS_PER_END),
    async ({ codes: { origin, dest }, compared }) => ({
      ...compared,
      code: dest,
      name: placeName(dest, store),
      address: routeAddress(origin, dest),
      usual: await usualRisk(byDest.get(dest) ?? [], store),
    }),
  );
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
