import { key, type Entry, type Gazetteer } from './gazetteer.ts';
import names from './names.json' with { type: 'json' };

/** What an item is about; the narrower a place is named, the fewer of the wider ones are kept. */
export type Touches = { airports: string[]; carriers: string[]; countries: string[] };

/** With how much the names are of flying: 2 an airport's own or an airline's, 1 a city or country, 0 none. */
export type Places = Touches & { namesAviation: 0 | 1 | 2 };

type Word = { text: string; folded: string };
type Hit = { entry: Entry; from: number; to: number };

const LONGEST_NAME = 6;
/** Places that are also words: they need a word beside them that goes with places. */
const COMMON = new Set(names.commonWords);
/** Places that are also first names: not when a surname follows. */
const FIRST_NAMES = new Set(names.firstNames);
/** Three capitals that are more often something else. */
const NOT_CODES = new Set(names.notCodes);
const BEFORE_PLACE = new Set(names.beforePlace);
const AFTER_PLACE = new Set(names.afterPlace);
const AFTER_CARRIER = new Set(names.afterCarrier);

/**
 * The text with each airport, or city of one, that it names called `airport`, and each airline `airline`: what is said of
 * them, whatever their names.
 */
export function withoutNames(text: string, gazetteer: Gazetteer): string {
  const words = wordsOf(text);
  const hits = hitsOf(words, gazetteer).filter((hit) => isMeant(hit, words));
  const codes = new Set(codesOf(words, gazetteer));
  const told = words.map(({ text }) => (codes.has(text) ? 'airport' : text));
  for (const { entry, from, to } of hits) {
    const called = 'carrier' in entry ? 'airline' : 'airports' in entry ? 'airport' : undefined;
    if (called !== undefined) told.fill('', from, to).splice(from, 1, called);
  }
  return told
    .filter(Boolean)
    .join(' ')
    .replaceAll(/\bairport(?: airport)+\b/gi, 'airport');
}

/** Airports, airlines and countries named in a text. */
export function matchPlaces(text: string, gazetteer: Gazetteer): Places {
  const words = wordsOf(text);
  const hits = hitsOf(words, gazetteer).filter((hit) => isMeant(hit, words));
  const all = <T>(pick: (entry: Entry) => T[]) => [
    ...new Set(hits.flatMap((hit) => pick(hit.entry))),
  ];
  const own = all((entry) => (entry.kind === 'airport' ? entry.airports : []));
  const cities = all((entry) => (entry.kind === 'city' ? [entry.airports] : []));
  // Of a city one of whose airports is named, the others are not meant.
  const widened = cities.filter((airports) => !airports.some((code) => own.includes(code))).flat();
  const airports = [...new Set([...own, ...codesOf(words, gazetteer), ...widened])].toSorted();
  const carriers = all((entry) => ('carrier' in entry ? [entry.carrier] : [])).toSorted();
  const countries = all((entry) => (entry.kind === 'country' ? [entry.country] : [])).toSorted();
  return {
    airports,
    carriers,
    countries: airports.length > 0 ? [] : countries,
    namesAviation:
      own.length + carriers.length > 0 ? 2 : airports.length + countries.length > 0 ? 1 : 0,
  };
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => ({ text: word, folded: key(word) }));
}

/** The longest name at each word; a name takes its words, so that Air France is not France. */
function hitsOf(words: Word[], { entries }: Gazetteer): Hit[] {
  const hits: Hit[] = [];
  for (let from = 0; from < words.length;) {
    const hit = longestAt(words, from, entries);
    if (hit) hits.push(hit);
    from = hit?.to ?? from + 1;
  }
  return hits;
}

function longestAt(words: Word[], from: number, entries: Gazetteer['entries']): Hit | undefined {
  for (let length = Math.min(LONGEST_NAME, words.length - from); length > 0; length -= 1) {
    const part = words.slice(from, from + length);
    const entry = entries.get(part.map((word) => word.folded).join(' '));
    if (entry) return { entry, from, to: from + length };
  }
  return undefined;
}

/** Whether the words stand for the place or airline here, and not for what else they mean. */
function isMeant({ entry, from, to }: Hit, words: Word[]): boolean {
  if (entry.kind === 'nothing') return false;
  const name = words.slice(from, to);
  const folded = name.map((word) => word.folded).join(' ');
  const next = words[to]?.folded ?? '';
  // Adjectives of countries are written small in most languages.
  if (entry.kind === 'country' && folded in names.countries && folded.length > 4) return true;
  const first = name[0]?.text ?? '';
  if (!isCapitalised(first)) return false;
  // "us" is a word, "US" a country.
  if (folded.length <= 3 && entry.kind !== 'carrier') return isCapitals(first);
  if (entry.kind === 'short-carrier') return AFTER_CARRIER.has(next);
  const isIntroduced = BEFORE_PLACE.has(words[from - 1]?.folded ?? '') || AFTER_PLACE.has(next);
  if (COMMON.has(folded)) return isIntroduced;
  const isName = isCapitalised(words[to]?.text ?? '') && !AFTER_PLACE.has(next);
  return !FIRST_NAMES.has(folded) || !isName || isIntroduced;
}

/** Codes in capitals between words that are not: in a title of capitals anything could be one. */
function codesOf(words: Word[], { codes }: Gazetteer): string[] {
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
