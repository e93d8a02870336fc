import { z } from 'zod';
import { usualHours, type Days, type UsualHour } from '../../../models/usual-risk.ts';
import { statsOf } from '../../../models/brands.ts';
import type { Service } from '../../../models/sold-airlines.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { RequestError } from '../../errors.ts';
import { airlineCode, readParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import { airlineName } from '../../presenters/names.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Region } from '../land-shapes.ts';
import type { DayShares, HourShares, MapData, MapRoute } from '../views/map/map-data.ts';
import { createProjector, landOf, type Land } from './land.ts';
import { totalsOf } from './records.ts';
import { servicesOf } from './services.ts';
import { inferredIn, isSoldByOthers, servicesBy, soldServicesOf } from './sold.ts';
import { spanOf } from './place-names.ts';
import { mapInSlices } from './time-slices.ts';
import { mergeHours } from './usual.ts';

const mapParams = z.object({
  region: z.enum(['world', 'us'], 'must be world or us').default('world'),
  month: z.coerce
    .number('must be a month, 1 to 12')
    .int()
    .min(1, 'must be 1 to 12')
    .max(12, 'must be 1 to 12')
    .optional(),
  airline: airlineCode.optional(),
});

/** Maximum number of routes on the map. The busiest routes are drawn. */
const MAX_ROUTES = 240;

/** Data of the map: airports and routes of all records with their expected risk in each departure hour. */
export const mapEndpoint: Endpoint = {
  path: '/explorer/map',
  restsOn: 'store',
  params: mapParams,
  answer: async (query, { stores }): Promise<MapData> => {
    const { region, month, airline } = readParams(query, mapParams);
    const store = currentStore(stores);
    const records = [store, ...store.parts];
    const selections = records.map((record) => ({
      record,
      services: servicesOn(airline, record),
    }));
    if (airline !== undefined && selections.every(({ services }) => services.length === 0)) {
      throw new RequestError(404, 'unknown_airline', `No flights of ${airline} are on record.`, {
        param: 'airline',
      });
    }
    const days = month === undefined ? {} : { month };
    const all: RouteRisk[] = [];
    for (const { record, services } of selections) {
      all.push(...(await computeRoutes(services, days, record)));
    }
    const isInUs = placeCheck('us', store);
    const routes = region === 'us' ? all.filter(({ origin }) => isInUs(origin)) : all;
    const places = [...Map.groupBy(routes, ({ origin }) => origin)];
    const { at, ...land } = await landOf(region);
    const airports = await mapInSlices(places, ([iata, own]) => toMapAirport(iata, own, at, store));
    const months = records.flatMap(({ manifest }) => manifest.months).toSorted();
    return {
      region,
      has_us: all.some(({ origin }) => isInUs(origin)),
      month: month ?? null,
      airline: airline ?? null,
      inferred: airline === undefined ? null : inferredIn(servicesOn(airline, store), store),
      airlines: airlinesOf(records),
      land,
      airports: airports.toSorted((a, b) => b.monthly - a.monthly || (a.iata < b.iata ? -1 : 1)),
      routes: busiestRoutes(routes, placeCheck(region, store)),
      hours: toHourShares(mergedHours(routes)),
      first: months[0] ?? '',
      last: months.at(-1) ?? '',
    };
  },
};

/**
 * Returns the airline-routes that this record scores. If several records contain a route, only one of these records
 * scores it.
 */
function servicesOn(airline: string | undefined, record: ScoreStore): Service[] {
  const services = airline === undefined ? servicesOf(record).all : servicesBy(airline, record);
  return services.filter(({ origin, dest }) => record.forRoute(origin, dest) === record);
}

/** Lists all airlines by name: those that sell flights, and those that operate flights for others. */
function airlinesOf(records: readonly ScoreStore[]): MapData['airlines'] {
  const airlines = new Map<string, MapData['airlines'][number]>();
  for (const record of records.toReversed()) {
    const { brands } = soldServicesOf(record);
    for (const iata of [...brands, ...servicesOf(record).byAirline.keys()]) {
      const is_partner = isSoldByOthers(iata, record);
      airlines.set(iata, { iata, name: airlineName(iata, record), is_partner });
    }
  }
  return [...airlines.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Returns a function that checks whether an airport is on the map of the region. */
function placeCheck(region: Region, store: ScoreStore): (iata: string) => boolean {
  const at = createProjector(region);
  return (iata) => {
    const airport = store.airport(iata);
    return airport !== undefined && at(airport) !== undefined;
  };
}

/** The expected risk of a route. */
type RouteRisk = {
  origin: string;
  dest: string;
  /** Departures on record. */
  flights: number;
  /**
   * Mean number of departures per month of the record. Records have different lengths, so totals are not comparable.
   */
  monthly: number;
  /** The `flights` of each hour are also means per month. */
  hours: UsualHour[];
  /** Late or cancelled flights of the record. */
  disrupted: number;
};

async function computeRoutes(
  services: readonly Service[],
  days: Days,
  store: ScoreStore,
): Promise<RouteRisk[]> {
  const months = Math.max(1, spanOf(store).months);
  const byRoute = Map.groupBy(services, ({ origin, dest }) => origin + dest);
  return mapInSlices(byRoute.values(), (own) => {
    const [{ origin, dest } = { origin: '', dest: '' }] = own;
    const { flights, late, cancelled } = totalsOf(
      own.flatMap((service) => statsOf(service, store) ?? []),
    );
    const hours = usualHours(own, days, store);
    return {
      ...{ origin, dest, flights, disrupted: late + cancelled, monthly: flights / months },
      hours: hours.map((one) => ({ ...one, flights: one.flights / months })),
    };
  });
}

function toMapAirport(iata: string, routes: RouteRisk[], at: Land['at'], store: ScoreStore) {
  const airport = store.airport(iata);
  const place = airport && at(airport);
  return {
    iata,
    city: airport?.city || iata,
    x: place?.x ?? null,
    y: place?.y ?? null,
    flights: sum(routes.map(({ flights }) => flights)),
    monthly: Math.round(monthlyOf(routes)),
    ...sharesOf(routes),
  };
}

function monthlyOf(routes: readonly RouteRisk[]): number {
  return sum(routes.map(({ monthly }) => monthly));
}

/**
 * Returns the expected share of late or cancelled flights in each hour. If the hours of most flights are unknown, also
 * returns one share for the whole day.
 */
function sharesOf(routes: readonly RouteRisk[]): DayShares {
  const hours = toHourShares(mergedHours(routes));
  const timed = routes.filter((one) => one.hours.some(({ flights }) => flights > 0));
  if (2 * monthlyOf(timed) >= monthlyOf(routes)) return { hours, day: null };
  const [flights, disrupted] = [
    sum(routes.map((one) => one.flights)),
    sum(routes.map((one) => one.disrupted)),
  ];
  return { hours, day: flights === 0 ? null : Math.round((1000 * disrupted) / flights) };
}

/**
 * Returns the routes to draw. A route and its return route would overlap on the map, so only the busier one is drawn.
 */
function busiestRoutes(routes: RouteRisk[], isOnMap: (iata: string) => boolean): MapRoute[] {
  const byEnds = new Map<string, MapRoute>();
  for (const route of routes.toSorted((a, b) => b.monthly - a.monthly)) {
    const { origin, dest } = route;
    const ends = origin < dest ? origin + dest : dest + origin;
    if (byEnds.size === MAX_ROUTES) break;
    if (byEnds.has(ends) || !isOnMap(origin) || !isOnMap(dest)) continue;
    byEnds.set(ends, { origin, dest, ...sharesOf([route]) });
  }
  return [...byEnds.values()];
}

function mergedHours(routes: readonly RouteRisk[]): UsualHour[] {
  return mergeHours(routes.map(({ hours }) => hours));
}

function toHourShares(hours: readonly UsualHour[]): HourShares {
  return hours.map(({ flights, share }) => (flights === 0 ? null : Math.round(1000 * share)));
}
