import { lookupKey, type Entry, type Gazetteer } from './gazetteer.ts';
import names from './names.json' with { type: 'json' };

/** Places and airlines of an item. If the item names a place within a wider place, the wider place is left out. */
export type Touches = { airports: string[]; carriers: string[]; countries: string[] };

/**
 * `namesAviation` is the evidence of aviation in the names: 2 for an airport or airline, 1 for a city or country,
 * otherwise 0.
 */
export type Places = Touches & { namesAviation: 0 | 1 | 2 };

type Word = { text: string; folded: string };
type Hit = { entry: Entry; from: number; to: number };

const LONGEST_NAME = 6;
/**
 * Places whose names are also ordinary words. They are recognised only beside a word that usually stands before or
 * after a place.
 */
const COMMON = new Set(names.commonWords);
/** Places whose names are also first names. They are not recognised before a surname. */
const FIRST_NAMES = new Set(names.firstNames);
/** Combinations of three capital letters that usually are not an airport code. */
const NOT_CODES = new Set(names.notCodes);
const BEFORE_PLACE = new Set(names.beforePlace);
const AFTER_PLACE = new Set(names.afterPlace);
const AFTER_CARRIER = new Set(names.afterCarrier);

/**
 * Replaces the names in a text: each airport or its city by `airport`, and each airline by `airline`. Phrases can then
 * match statements about any of them.
 */
export function withoutNames(text: string, gazetteer: Gazetteer): string {
  const words = wordsOf(text);
  const hits = findHits(words, gazetteer).filter((hit) => isReference(hit, words));
  const codes = new Set(findCodes(words, gazetteer));
  const replaced = words.map(({ text }) => (codes.has(text) ? 'airport' : text));
  for (const { entry, from, to } of hits) {
    const replacement =
      'carrier' in entry ? 'airline' : 'airports' in entry ? 'airport' : undefined;
    if (replacement !== undefined) replaced.fill('', from, to).splice(from, 1, replacement);
  }
  return replaced
    .filter(Boolean)
    .join(' ')
    .replaceAll(/\bairport(?: airport)+\b/gi, 'airport');
}

/** Finds the airports, airlines and countries named in a text. */
export function matchPlaces(text: string, gazetteer: Gazetteer): Places {
  const words = wordsOf(text);
  const hits = findHits(words, gazetteer).filter((hit) => isReference(hit, words));
  const collect = <T>(pick: (entry: Entry) => T[]) => [
    ...new Set(hits.flatMap((hit) => pick(hit.entry))),
  ];
  const namedAirports = collect((entry) => (entry.kind === 'airport' ? entry.airports : []));
  const cities = collect((entry) => (entry.kind === 'city' ? [entry.airports] : []));
  // When one airport of a city is named, the other airports of that city do not match.
  const cityAirports = cities
    .filter((airports) => !airports.some((code) => namedAirports.includes(code)))
    .flat();
  const airports = [
    ...new Set([...namedAirports, ...findCodes(words, gazetteer), ...cityAirports]),
  ].toSorted();
  const carriers = collect((entry) => ('carrier' in entry ? [entry.carrier] : [])).toSorted();
  const countries = collect((entry) =>
    entry.kind === 'country' ? [entry.country] : [],
  ).toSorted();
  return {
    airports,
    carriers,
    countries: airports.length > 0 ? [] : countries,
    namesAviation:
      namedAirports.length + carriers.length > 0
        ? 2
        : airports.length + countries.length > 0
          ? 1
          : 0,
  };
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => ({
    text: word,
    folded: lookupKey(word),
  }));
}

/**
 * Finds the longest name that starts at each word. A word belongs to one name only, so that `Air France` does not also
 * match France.
 */
function findHits(words: Word[], { entries }: Gazetteer): Hit[] {
  const hits: Hit[] = [];
  for (let from = 0; from < words.length;) {
    const hit = longestHitAt(words, from, entries);
    if (hit) hits.push(hit);
    from = hit?.to ?? from + 1;
  }
  return hits;
}

function longestHitAt(words: Word[], from: number, entries: Gazetteer['entries']): Hit | undefined {
  for (let length = Math.min(LONGEST_NAME, words.length - from); length > 0; length -= 1) {
    const part = words.slice(from, from + length);
    const entry = entries.get(part.map((word) => word.folded).join(' '));
    if (entry) return { entry, from, to: from + length };
  }
  return undefined;
}

/** Whether the words refer to the place or airline here, and not to something else. */
function isReference({ entry, from, to }: Hit, words: Word[]): boolean {
  if (entry.kind === 'nothing') return false;
  const name = words.slice(from, to);
  const folded = name.map((word) => word.folded).join(' ');
  const next = words[to]?.folded ?? '';
  // Adjectives of countries are not capitalised in most languages.
  if (entry.kind === 'country' && folded in names.countries && folded.length > 4) return true;
  const first = name[0]?.text ?? '';
  if (!isCapitalised(first)) return false;
  // Distinguishes the word "us" from the country "US".
  if (folded.length <= 3 && entry.kind !== 'carrier') return isCapitals(first);
  if (entry.kind === 'short-carrier') return AFTER_CARRIER.has(next);
  const isIntroduced = BEFORE_PLACE.has(words[from - 1]?.folded ?? '') || AFTER_PLACE.has(next);
  if (COMMON.has(folded)) return isIntroduced;
  const isPersonName = isCapitalised(words[to]?.text ?? '') && !AFTER_PLACE.has(next);
  return !FIRST_NAMES.has(folded) || !isPersonName || isIntroduced;
}

/**
 * Finds airport codes in capitals. Finds no codes in a title that is mostly in capitals, because any of its words could
 * be a code.
 */
function findCodes(words: Word[], { codes }: Gazetteer): string[] {
  const capitals = words.filter(({ text }) => text.length > 3 && isCapitals(text)).length;
  if (capitals > words.length / 3) return [];
  return words
    .filter(({ text }, at) => {
      if (text.length !== 3 || !codes.has(text) || NOT_CODES.has(text)) return false;
      const before = words[at - 1]?.folded ?? '';
      const after = words[at + 1]?.folded ?? '';
      return (
        BEFORE_PLACE.has(before) ||
        AFTER_PLACE.has(after) ||
        codes.has(words[at - 1]?.text ?? '') ||
        before === 'and'
      );
    })
    .map(({ text }) => text);
}

function isCapitalised(text: string): boolean {
  return /^[\p{Lu}\p{N}]/u.test(text);
}

function isCapitals(text: string): boolean {
  return /^[\p{Lu}]+$/u.test(text);
}
