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
import { inTurns } from './turns.ts';
import { hoursTogether } from './usual.ts';

const mapQuestion = z.object({
  month: z.coerce
    .number('must be a month, 1 to 12')
    .int()
    .min(1, 'must be 1 to 12')
    .max(12, 'must be 1 to 12')
    .optional(),
  airline: airlineCode.optional(),
});

/** Routes that are drawn, those with most flights. */
const ROUTES = 240;

/** Airports and routes on a map, with what is to be expected of them in each hour of departure. */
export const mapEndpoint: Endpoint = {
  path: '/explorer/map',
  restsOn: 'store',
  question: mapQuestion,
  answer: async (query, { stores }): Promise<MapData> => {
    const { month, airline } = readParams(query, mapQuestion);
    const store = currentStore(stores);
    const services = servicesOf(store);
    if (airline !== undefined && !services.of.has(airline)) {
      throw new RequestError(404, 'unknown_airline', `The history has no flights of ${airline}.`, {
        param: 'airline',
      });
    }
    const some = airline === undefined ? services.all : (services.of.get(airline) ?? []);
    const routes = await worked(some, month === undefined ? {} : { month }, store);
    const places = [...Map.groupBy(routes, ({ origin }) => origin)];
    const land = await landOf(places.flatMap(([iata]) => store.airport(iata) ?? []));
    const airports = await inTurns(places, ([iata, own]) => airportOn(iata, own, land, store));
    const { first, last } = spanOf(store);
    const { width, height, outline, borders } = land;
    return {
      month: month ?? null,
      airline: airline ?? null,
      airlines: [...services.of.keys()]
        .toSorted()
        .map((iata) => ({ iata, name: store.airline(iata)?.name ?? iata })),
      land: { width, height, outline, borders },
      airports: airports.toSorted((a, b) => b.flights - a.flights || (a.iata < b.iata ? -1 : 1)),
      routes: busiestOn(routes, land, store),
      hours: sharesOf(together(routes)),
      first,
      last,
    };
  },
};

type Worked = { origin: string; dest: string; flights: number; hours: UsualHour[] };

async function worked(
  services: readonly AirlineRoute[],
  days: Days,
  store: ScoreStore,
): Promise<Worked[]> {
  const flown = Map.groupBy(services, ({ origin, dest }) => origin + dest);
  return inTurns(flown.values(), (own) => {
    const [{ origin, dest } = { origin: '', dest: '' }] = own;
    const flights = own.reduce(
      (sum, { carrier }) => sum + (store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0),
      0,
    );
    return { origin, dest, flights, hours: usualHours(own, days, store) };
  });
}

function airportOn(iata: string, routes: Worked[], land: Land, store: ScoreStore) {
  const airport = store.airport(iata);
  const place = airport && land.at(airport);
  return {
    iata,
    city: airport?.city || iata,
    x: place?.x ?? null,
    y: place?.y ?? null,
    flights: routes.reduce((sum, { flights }) => sum + flights, 0),
    hours: sharesOf(together(routes)),
  };
}

/** One line for both ways, as they lie on each other: that with more flights. */
function busiestOn(routes: Worked[], land: Land, store: ScoreStore): MapRoute[] {
  const isOn = (iata: string) => {
    const airport = store.airport(iata);
    return airport !== undefined && land.at(airport) !== undefined;
  };
  const shown = new Map<string, MapRoute>();
  for (const { origin, dest, hours } of routes.toSorted((a, b) => b.flights - a.flights)) {
    const ends = origin < dest ? origin + dest : dest + origin;
    if (shown.size === ROUTES) break;
    if (shown.has(ends) || !isOn(origin) || !isOn(dest)) continue;
    shown.set(ends, { origin, dest, hours: sharesOf(hours) });
  }
  return [...shown.values()];
}

function together(routes: readonly Worked[]): UsualHour[] {
  return hoursTogether(routes.map(({ hours }) => hours));
}

function sharesOf(hours: readonly UsualHour[]): HourShares {
  return hours.map(({ flights, share }) => (flights === 0 ? null : Math.round(1000 * share)));
}
