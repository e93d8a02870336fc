import type { ScoreStore } from '../../../warehouse/store/types.ts';
import { RequestError } from '../../errors.ts';
import {
  airportsOfCity,
  airportsOfCode,
  busiestPair,
  pairsOf,
  sortByFlights,
  type AirportPair,
} from '../../scoring/city-pairs.ts';
import { placeSearchOf } from './place-list.ts';

/**
 * Finds the airports that two texts name. Returns the pair of airports with the most flights, by the order of
 * `sortByFlights`. A text is the code or name of an airport or city. Throws a 404 if a text is unknown. Throws a 400 if
 * one text is an airport of the other text's city.
 */
export async function pairOfTexts(
  { origin, dest }: AirportPair,
  airline: string | undefined,
  store: ScoreStore,
): Promise<AirportPair> {
  const pair = busiestPair(
    await airportsOfText('origin', origin, store),
    await airportsOfText('dest', dest, store),
    { airline, store },
  );
  if (pair) return pair;
  const text = 'Choose two different airports.';
  throw new RequestError(400, 'invalid_parameter', text, { param: 'dest' });
}

/**
 * Lists the other airport pairs between the same two cities. Only pairs with flights are listed, most flights first.
 */
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

/** Returns the airports that a text names. The name of a city means all airports of the city. */
async function airportsOfText(
  param: 'origin' | 'dest',
  text: string,
  store: ScoreStore,
): Promise<string[]> {
  const airports = airportsOfCode(text.trim().toUpperCase(), store);
  if (airports.length > 0) return airports;
  const search = await placeSearchOf(store);
  const [found] = search(text, 1);
  if (found) return found.airports;
  const message = `No airport matches “${text.trim()}”. Enter a city, an airport or a code.`;
  throw new RequestError(404, 'unknown_airport', message, { param });
}
