import type { Airline, Airport } from '../../warehouse/store/types.ts';
import names from './names.json' with { type: 'json' };
import { foldText } from './phrases.ts';

/** The meaning of a name. `nothing`: the phrase only looks like a name, and its words match no other name. */
export type Entry =
  | { kind: 'airport' | 'city'; airports: string[] }
  | { kind: 'carrier' | 'short-carrier'; carrier: string }
  | { kind: 'country'; country: string }
  | { kind: 'nothing' };

/** Meanings by name; names are folded, without blanks at the ends. */
export type Gazetteer = {
  entries: ReadonlyMap<string, Entry>;
  /** The three-letter codes recognised as airports when written in capitals. */
  codes: ReadonlySet<string>;
};

export type GazetteerInput = {
  /** Airports with scheduled flights, larger airports first. An ambiguous name belongs to the first airport. */
  airports: Airport[];
  airlines: Airline[];
};

/** Words that many airport names contain. They do not distinguish airports. */
const GENERIC = new Set(
  `airport aeroport aeropuerto aeroporto flughafen international intl regional municipal national metropolitan
  civil field the de of city`.split(/\s+/),
);

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'];
const COMMON = new Set(names.commonWords);

/** Creates the gazetteer from the airports and airlines of the reference data and the names in `names.json`. */
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
    // Airlines whose name is a single word are listed individually, because a single word is too often an ordinary
    // word.
    if (lookupKey(name).includes(' ')) add(lookupKey(name), { kind: 'carrier', carrier: iata });
  }
  const cities = byCity(airports);
  // Foreign names come first. Otherwise Roma, which is also a town in Australia, would not mean Rome.
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

/** Folds a name for look-up. */
export function lookupKey(text: string): string {
  return foldText(text).trim();
}

/**
 * A city name belongs to the country of the first airport with this city name. Cities of the same name in other
 * countries are not found by that name.
 */
function byCity(airports: Airport[]): Map<string, string[]> {
  const cities = new Map<string, { country: string; airports: string[] }>();
  for (const { iata, city, countryCode } of airports) {
    const knownCity = cities.get(lookupKey(city));
    if (!knownCity) cities.set(lookupKey(city), { country: countryCode, airports: [iata] });
    else if (knownCity.country === countryCode) knownCity.airports.push(iata);
  }
  cities.delete('');
  return new Map([...cities].map(([name, city]) => [name, city.airports]));
}

/**
 * Returns the names of an airport: "London Heathrow Airport" is also "London Heathrow". A name without the city, such
 * as "Heathrow", is listed by hand, and only if it is not too common.
 */
function ownNames({ name }: Airport): string[] {
  const words = lookupKey(name).split(' ');
  const shortName = words.filter((word) => !GENERIC.has(word)).join(' ');
  const isDistinctive = shortName.includes(' ') && !COMMON.has(shortName);
  return isDistinctive ? [lookupKey(name), shortName] : [lookupKey(name)];
}

function addCountries(airports: Airport[], add: (name: string, entry: Entry) => void): void {
  for (const [name, country] of Object.entries(names.countries)) {
    add(name, { kind: 'country', country });
  }
  const codes = new Set(airports.map(({ countryCode }) => countryCode));
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const country of codes) {
      add(lookupKey(display.of(country) ?? ''), { kind: 'country', country });
    }
  }
}
