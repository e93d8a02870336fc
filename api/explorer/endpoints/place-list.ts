import { CITIES, cityOfAirport } from '../../../warehouse/reference/cities.ts';
import {
  readAirportDetails,
  type AirportDetails,
} from '../../../warehouse/reference/airport-details.ts';
import { loadOnceFor, memoizeFor } from '../../../warehouse/ground/load-once.ts';
import localNames from '../../../warehouse/reference/local-names.json' with { type: 'json' };
import type { Airport, ScoreStore } from '../../../warehouse/store/types.ts';
import type { Choice } from '../views/choice.ts';
import {
  createSearch,
  KNOWN_WEIGHT,
  RARE_WEIGHT,
  type Entry,
  type TextSearch,
} from './text-search.ts';

/** An airport with the number of its departures in the record. */
export type Place = Pick<Airport, 'iata' | 'city' | 'name' | 'country'> & { flights: number };

/** A suggestion for an airport, or for a city with its airports. */
export type PlaceChoice = Choice & { airports: string[] };

/**
 * Lists all airports with the number of their departures, busiest first. If several records contain a route, only the
 * record used for scoring counts.
 */
export const placesOf: (store: ScoreStore) => Place[] = memoizeFor((store) => {
  const flights = new Map<string, number>();
  for (const record of [store, ...store.parts]) {
    for (const { origin, dest, carrier } of record.airlineRoutes()) {
      if (record.forRoute(origin, dest) !== record) continue;
      const count = record.routeCarrier(origin, dest, carrier)?.flightCount ?? 0;
      flights.set(origin, (flights.get(origin) ?? 0) + count);
    }
  }
  return [...store.airports()]
    .map(({ iata, city, name, country }) => ({
      ...{ iata, city, name, country },
      flights: flights.get(iata) ?? 0,
    }))
    .toSorted((a, b) => b.flights - a.flights || (a.iata < b.iata ? -1 : 1));
});

/** Returns a search for the airports and cities of a store. */
export const placeSearchOf: (store: ScoreStore) => Promise<TextSearch<PlaceChoice>> = loadOnceFor(
  async (store) => createPlaceSearch(placesOf(store), await readAirportDetails()),
);

/** Creates a search for airports, and for cities with several airports. */
export function createPlaceSearch(
  places: readonly Place[],
  details: ReadonlyMap<string, AirportDetails>,
): Promise<TextSearch<PlaceChoice>> {
  const airports = new Map(places.map((place) => [place.iata, airportEntry(place, details)]));
  const cities = CITIES.flatMap(({ code, name, airports: codes }) => {
    const members = codes.flatMap((one) => airports.get(one) ?? []);
    return members.length < 2 ? [] : [cityEntry({ name, code }, members)];
  });
  // If a code names both a city and an airport, it means the airport.
  const entries = [...cities, ...airports.values()].map((entry) => ({
    ...entry,
    codes: entry.codes.filter((code) => entry.item.airports[0] === code || !airports.has(code)),
  }));
  return createSearch(entries);
}

const NAMES = localNames.names as Readonly<Record<string, readonly string[]>>;

function namesOf(airports: Iterable<string>): string[] {
  return [...airports].flatMap((iata) => NAMES[iata] ?? []);
}

function airportEntry(
  { iata, city, name, country, flights }: Place,
  details: ReadonlyMap<string, AirportDetails>,
): Entry<PlaceChoice> {
  const { icao = '', state = '', size = 0 } = details.get(iata) ?? {};
  const [postal = ''] = state.split(' ');
  const metropolis = cityOfAirport(iata);
  const sameCity = metropolis?.airports ?? [iata];
  const rank = sameCity.indexOf(iata) / 100;
  return {
    item: {
      value: iata,
      code: iata,
      name: [city || name, state === '' ? '' : postal].filter(Boolean).join(', '),
      detail: [city === '' ? '' : name, state === '' ? country : ''].filter(Boolean).join(', '),
      airports: [iata],
    },
    weight: weightOf(flights, size) - rank,
    codes: [iata, icao].filter(Boolean),
    names: [
      city,
      metropolis?.name ?? '',
      ...namesOf(new Set([sameCity[0] as string, iata])),
    ].filter(Boolean),
    areas: [state.slice(postal.length), country].filter(Boolean),
    words: [name, postal],
  };
}

/** A city is ranked directly before its largest airport. */
function cityEntry(
  { name, code }: { name: string; code: string },
  members: Entry<PlaceChoice>[],
): Entry<PlaceChoice> {
  const airports = members.flatMap(({ item }) => item.airports);
  const isOwnCode = !airports.includes(code);
  return {
    item: {
      value: name,
      code: isOwnCode ? code : 'All',
      name,
      detail: `All airports: ${airports.join(', ')}`,
      airports,
    },
    weight: Math.max(...members.map(({ weight }) => weight)) + 0.5,
    codes: isOwnCode ? [code] : [],
    isSure: true,
    names: [name, ...namesOf(airports.slice(0, 1))],
    areas: members[0]?.areas ?? [],
    words: members.flatMap(({ words = [] }) => words.slice(1)),
  };
}

/** Airports with flights in the record come first. The others are ranked by size. */
function weightOf(flights: number, size: number): number {
  return flights > 0 ? KNOWN_WEIGHT + Math.log10(1 + flights) : RARE_WEIGHT + 0.4 * size;
}
