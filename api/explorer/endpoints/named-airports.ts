import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { cityOfAirport } from '../../../warehouse/reference/cities.ts';
import { RequestError } from '../../errors.ts';
import {
  airportsOfCity,
  airportsOfCode,
  busiestPair,
  pairsOf,
  sortByFlights,
  type AirportPair,
} from '../../scoring/city-pairs.ts';
import { normalizeText, searchPlaces } from '../views/places.ts';
import { placesOf } from './place-list.ts';

/**
 * Returns the pair of airports with the most flights for two texts; see `sortByFlights`. A text is the code or name of
 * an airport or a city. Throws a 404 if a text is unknown, and a 400 if one text is a city and the other is an airport
 * of that city.
 */
export function pairOfTexts(
  { origin, dest }: AirportPair,
  airline: string | undefined,
  store: ScoreStore,
): AirportPair {
  const pair = busiestPair(
    airportsOfText('origin', origin, store),
    airportsOfText('dest', dest, store),
    { airline, store },
  );
  if (pair) return pair;
  const text = 'Choose two different airports.';
  throw new RequestError(400, 'invalid_parameter', text, { param: 'dest' });
}

/** Lists the other pairs of airports of the same two cities that have flights, most flights first. */
export function otherPairs(
  { origin, dest }: AirportPair,
  airline: string,
  store: ScoreStore,
): (AirportPair & { flights: number })[] {
  const pairs = pairsOf(airportsOfCity(origin, store), airportsOfCity(dest, store));
  return sortByFlights(pairs, airline, store).filter(
    (pair) => pair.flights > 0 && (pair.origin !== origin || pair.dest !== dest),
  );
}

/** Returns the airports that a text names. The name of a city stands for all airports of the city. */
function airportsOfText(param: 'origin' | 'dest', text: string, store: ScoreStore): string[] {
  const airports = airportsOfCode(text.trim().toUpperCase(), store);
  if (airports.length > 0) return airports;
  const [found] = searchPlaces(placesOf(store), text, 1);
  if (!found) {
    throw new RequestError(404, 'unknown_airport', 'No airport has this name or code.', { param });
  }
  const cityName = normalizeText(cityOfAirport(found.iata)?.name ?? '');
  return cityName.startsWith(normalizeText(text))
    ? airportsOfCity(found.iata, store)
    : [found.iata];
}
