import { z } from 'zod';
import { usualHours, type Days, type UsualHour } from '../../../models/usual-risk.ts';
import type { AirlineRoute, ScoreStore } from '../../../warehouse/store/types.ts';
import { RequestError } from '../../errors.ts';
import { airlineCode, readParams } from '../../schemas/params.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import type { HourShares, MapData, MapRoute } from '../views/map/map-data.ts';
import { landOf, type Land } from './land.ts';
import { servicesOf } from './services.ts';
import { spanOf } from './place-names.ts';
import { mapInSlices } from './time-slices.ts';
import { mergeHours } from './usual.ts';

const mapParams = z.object({
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

/** Data of the map: airports and routes with their expected risk in each departure hour. */
export const mapEndpoint: Endpoint = {
  path: '/explorer/map',
  restsOn: 'store',
  params: mapParams,
  answer: async (query, { stores }): Promise<MapData> => {
    const { month, airline } = readParams(query, mapParams);
    const store = currentStore(stores);
    const services = servicesOf(store);
    if (airline !== undefined && !services.byAirline.has(airline)) {
      throw new RequestError(404, 'unknown_airline', `No flights of ${airline} are on record.`, {
        param: 'airline',
      });
    }
    const selection =
      airline === undefined ? services.all : (services.byAirline.get(airline) ?? []);
    const routes = await computeRoutes(selection, month === undefined ? {} : { month }, store);
    const places = [...Map.groupBy(routes, ({ origin }) => origin)];
    const land = await landOf(places.flatMap(([iata]) => store.airport(iata) ?? []));
    const airports = await mapInSlices(places, ([iata, own]) =>
      toMapAirport(iata, own, land, store),
    );
    const { first, last } = spanOf(store);
    const { width, height, outline, borders } = land;
    return {
      month: month ?? null,
      airline: airline ?? null,
      airlines: [...services.byAirline.keys()]
        .toSorted()
        .map((iata) => ({ iata, name: store.airline(iata)?.name ?? iata })),
      land: { width, height, outline, borders },
      airports: airports.toSorted((a, b) => b.flights - a.flights || (a.iata < b.iata ? -1 : 1)),
      routes: busiestRoutes(routes, land, store),
      hours: toHourShares(mergedHours(routes)),
      first,
      last,
    };
  },
};

type RouteHours = { origin: string; dest: string; flights: number; hours: UsualHour[] };

async function computeRoutes(
  services: readonly AirlineRoute[],
  days: Days,
  store: ScoreStore,
): Promise<RouteHours[]> {
  const byRoute = Map.groupBy(services, ({ origin, dest }) => origin + dest);
  return mapInSlices(byRoute.values(), (own) => {
    const [{ origin, dest } = { origin: '', dest: '' }] = own;
    const flights = own.reduce(
      (sum, { carrier }) => sum + (store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0),
      0,
    );
    return { origin, dest, flights, hours: usualHours(own, days, store) };
  });
}

function toMapAirport(iata: string, routes: RouteHours[], land: Land, store: ScoreStore) {
  const airport = store.airport(iata);
  const place = airport && land.at(airport);
  return {
    iata,
    city: airport?.city || iata,
    x: place?.x ?? null,
    y: place?.y ?? null,
    flights: routes.reduce((sum, { flights }) => sum + flights, 0),
    hours: toHourShares(mergedHours(routes)),
  };
}

/**
 * Returns the routes to draw. A route and its return route would overlap on the map, so only the busier one is drawn.
 */
function busiestRoutes(routes: RouteHours[], land: Land, store: ScoreStore): MapRoute[] {
  const isOnMap = (iata: string) => {
    const airport = store.airport(iata);
    return airport !== undefined && land.at(airport) !== undefined;
  };
  const byEnds = new Map<string, MapRoute>();
  for (const { origin, dest, hours } of routes.toSorted((a, b) => b.flights - a.flights)) {
    const ends = origin < dest ? origin + dest : dest + origin;
    if (byEnds.size === MAX_ROUTES) break;
    if (byEnds.has(ends) || !isOnMap(origin) || !isOnMap(dest)) continue;
    byEnds.set(ends, { origin, dest, hours: toHourShares(hours) });
  }
  return [...byEnds.values()];
}

function mergedHours(routes: readonly RouteHours[]): UsualHour[] {
  return mergeHours(routes.map(({ hours }) => hours));
}

function toHourShares(hours: readonly UsualHour[]): HourShares {
  return hours.map(({ flights, share }) => (flights === 0 ? null : Math.round(1000 * share)));
}
