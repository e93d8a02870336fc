import { loadOnceFor } from '../../../warehouse/ground/load-once.ts';
import { readAirlineCodes } from '../../../warehouse/reference/icao-codes.ts';
import type { Airline, ScoreStore } from '../../../warehouse/store/types.ts';
import { RequestError } from '../../errors.ts';
import { servicesOf } from './services.ts';
import { createSearch, KNOWN_WEIGHT, type TextSearch } from './text-search.ts';

/** Returns a search for the airlines of a store. Airlines with a record come first. */
export const airlineSearchOf: (store: ScoreStore) => Promise<TextSearch<Airline>> = loadOnceFor(
  (store) => {
    const { byAirline } = servicesOf(store);
    const icaoCodes = Map.groupBy(readAirlineCodes(), ({ iata }) => iata);
    const entries = [...store.airlines()].map((airline) => ({
      item: airline,
      weight: weightOf(byAirline.get(airline.iata)?.length ?? 0),
      codes: [airline.iata, ...(icaoCodes.get(airline.iata) ?? []).map(({ icao }) => icao)],
      names: [airline.name],
      areas: [airline.country].filter(Boolean),
    }));
    return createSearch(entries);
  },
);

function weightOf(routes: number): number {
  return routes > 0 ? KNOWN_WEIGHT + Math.log10(1 + routes) : 1;
}

/**
 * Returns the code of an airline. The text is a code or a name, as in `findAirline`. Throws a 404 if the text is
 * unknown.
 */
export async function resolveAirline(
  text: string,
  flying: readonly string[],
  store: ScoreStore,
): Promise<string> {
  const airline = await findAirline(text, store, flying);
  if (airline !== undefined) return airline;
  const message = `No airline matches “${text.trim()}”. Enter a name or a code.`;
  throw new RequestError(404, 'unknown_airline', message, { param: 'airline' });
}

/**
 * Returns the code of the airline that a text names; undefined if no airline matches. If several airlines match,
 * prefers an airline in `flying`.
 */
export async function findAirline(
  text: string,
  store: ScoreStore,
  flying: readonly string[] = [],
): Promise<string | undefined> {
  const code = text.trim().toUpperCase();
  if (store.airline(code)) return code;
  const search = await airlineSearchOf(store);
  const found = search(text).map(({ iata }) => iata);
  return found.find((one) => flying.includes(one)) ?? found[0];
}
