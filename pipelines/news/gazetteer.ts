import type { Airline, Airport } from '../../warehouse/store/types.ts';
import names from './names.json' with { type: 'json' };
import { folded } from './phrases.ts';

/** What a name may mean. `nothing` is a name that only looks like one, and takes its words out of play. */
export type Entry =
  | { kind: 'airport' | 'city'; airports: string[] }
  | { kind: 'carrier' | 'short-carrier'; carrier: string }
  | { kind: 'country'; country: string }
  | { kind: 'nothing' };

/** Names, folded and without the blanks at the ends, and what they mean. */
export type Gazetteer = {
  entries: ReadonlyMap<string, Entry>;
  /** The three-letter codes taken for airports when written in capitals. */
  codes: ReadonlySet<string>;
};

export type GazetteerInput = {
  /** Airports with scheduled flights; the larger ones first, for a name goes to the first that has it. */
  airports: Airport[];
  airlines: Airline[];
};

/** Words that are part of many names of airports and tell none apart. */
const GENERIC = new Set(
  `airport aeroport aeropuerto aeroporto flughafen international intl regional municipal national metropolitan
  civil field the de of city`.split(/\s+/),
);

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'];
const COMMON = new Set(names.commonWords);

/** Makes the look-up of names from the airports and airlines of the reference data and the names of `names.json`. */
export function createGazetteer({ airports, airlines }: GazetteerInput): Gazetteer {
  const entries = new Map<string, Entry>();
  const add = (name: string, entry: Entry) => {
    if (name !== '' && !entries.has(name)) entries.set(name, entry);
  };
  for (const name of names.nothing) add(name, { kind: 'nothing' });
  for (const [name, carrier] of Object.entries(names.carriers)) {
    add(name, { kind: 'carrier', carrier });
  }
  for (const [name, code] of Object.entries(names.airports)) {
    add(name, { kind: 'airport', airports: [code] });
  }
  for (const { iata, name } of airlines) {
    // One word is too often a word: short names are listed one by one.
    if (key(name).includes(' ')) add(key(name), { kind: 'carrier', carrier: iata });
  }
  const cities = byCity(airports);
  // The names other languages have for them come first: Roma is also a town in Australia.
  for (const [name, english] of Object.entries(names.cities)) {
    const list = cities.get(english);
    if (list) add(name, { kind: 'city', airports: list });
  }
  for (const [name, list] of cities) add(name, { kind: 'city', airports: list });
  for (const airport of airports) {
    for (const name of ownNames(airport)) add(name, { kind: 'airport', airports: [airport.iata] });
  }
  addCountries(airports, add);
  for (const [name, carrier] of Object.entries(names.shortCarriers)) {
    add(name, { kind: 'short-carrier', carrier });
  }
  return { entries, codes: new Set(airports.map(({ iata }) => iata)) };
}

/** Folded for look-up. */
export function key(text: string): string {
  return folded(text).trim();
}

/** A city belongs to the country of its first airport; the namesake elsewhere has to be named otherwise. */
function byCity(airports: Airport[]): Map<string, string[]> {
  const cities = new Map<string, { country: string; airports: string[] }>();
  for (const { iata, city, countryCode } of airports) {
    const known = cities.get(key(city));
    if (!known) cities.set(key(city), { country: countryCode, airports: [iata] });
    else if (known.country === countryCode) known.airports.push(iata);
  }
  cities.delete('');
  return new Map([...cities].map(([name, city]) => [name, city.airports]));
}

/** "London Heathrow Airport" is also "London Heathrow"; what is left without the city is listed by hand or too common. */
function ownNames({ name }: Airport): string[] {
  const words = key(name).split(' ');
  const own = words.filter((word) => !GENERIC.has(word)).join(' ');
  const isTelling = own.includes(' ') && !COMMON.has(own);
  return isTelling ? [key(name), own] : [key(name)];
}

function addCountries(airports: Airport[], add: (name: string, entry: Entry) => void): void {
  for (const [name, country] of Object.entries(names.countries)) {
    add(name, { kind: 'country', country });
  }
  const codes = new Set(airports.map(({ countryCode }) => countryCode));
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const country of codes) add(key(display.of(country) ?? ''), { kind: 'country', country });
  }
}
