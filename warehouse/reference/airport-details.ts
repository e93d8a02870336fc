import path from 'node:path';
import { loadOnce } from '../ground/load-once.ts';

/** Facts about an airport that are only needed by the search. */
export type AirportDetails = {
  /** Four-letter ICAO code; empty if unknown. */
  icao: string;
  /** 3, 2 or 1 for a large, medium or small airport with scheduled flights; otherwise 0. */
  size: number;
  /** Postal code and name of the state, such as `TX Texas`; empty outside the United States. */
  state: string;
};

/** File of these facts, written by `make airports` from airport-data-js and us-atlas. */
export const AIRPORT_DETAILS = path.join(import.meta.dirname, 'airport-details.json');

/** Returns the facts about every airport, by IATA code. Reads the file on the first call. */
export const readAirportDetails: () => Promise<ReadonlyMap<string, AirportDetails>> = loadOnce(
  async () => {
    const { default: rows } = await import('./airport-details.json', { with: { type: 'json' } });
    return new Map(
      (rows as [string, string, number, string][]).map(([iata, icao, size, state]) => [
        iata,
        { icao, size, state },
      ]),
    );
  },
);
