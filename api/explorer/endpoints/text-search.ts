import leven from 'leven';
import MiniSearch from 'minisearch';
import { mapInSlices } from './time-slices.ts';

/** An item to find, and the texts by which it is found. */
export type Entry<Item> = {
  item: Item;
  /** How often people mean this item, compared with others. Sorts items that match equally well. */
  weight: number;
  /** Codes, such as `JFK` and `KJFK`. */
  codes: string[];
  /** Names of which a visitor types the beginning, such as `New York`. */
  names: string[];
  /** Regions that contain the item, such as `Texas`. */
  areas?: string[];
  /** Other words, such as the full name of an airport. */
  words?: string[];
  /** Whether an exact code always means this item, even if a better-known name begins with the code. */
  isSure?: boolean;
};

/** Returns the items that match a text, most likely first; at most 8 by default. */
export type TextSearch<Item> = (text: string, atMost?: number) => Item[];

/** Entries that are added to an index in one round of the event loop, so that no call waits. */
const CHUNK = 50;
const MAX_RESULTS = 8;
/** Items from this weight on are well known. An exact code of theirs comes before names that begin with the code. */
export const KNOWN_WEIGHT = 2;
/** Items up to this weight are not indexed, and are searched only if no other item matches. */
export const RARE_WEIGHT = 0.2;

/** Indexes the entries. Every word of a text must match; typing errors are allowed only if nothing matches without. */
export async function createSearch<Item>(
  entries: readonly Entry<Item>[],
): Promise<TextSearch<Item>> {
  const all = await mapInSlices(entries, toTerms);
  const rare = all.filter(({ weight }) => weight <= RARE_WEIGHT);
  const terms = all.filter(({ weight }) => weight > RARE_WEIGHT);
  const index = await indexTerms(terms);
  const find = (typed: string, edits: number) =>
    index
      .search(
        withoutLooseLetters(typed),
        edits === 0 ? {} : { fields: WORD_FIELDS, fuzzy: editsOf(edits) },
      )
      .flatMap(({ id, score, terms: matched }) => {
        const entry = terms[id as number];
        // For a text with typing errors, the words that were probably meant decide.
        const meant = edits === 0 ? typed : matched.join(' ');
        return entry ? [{ entry, score, rank: rankOf(entry, meant) }] : [];
      });
  return (text, atMost = MAX_RESULTS) => {
    const typed = normalizeText(text);
    if (typed === '') return [];
    const steps = [
      () => withMisspelt(find(typed, 0), terms, typed),
      () => findRare(rare, typed),
      () => withMisspelt(find(typed, 1), terms, typed),
      () => find(typed, 2),
    ];
    for (const step of steps) {
      const found = typed.length === 1 ? beginningWith(terms, typed) : step();
      if (found.length > 0) return sortFound(found).slice(0, atMost);
    }
    return [];
  };
}

/** The texts of an entry, normalized. */
type Terms<Item> = Required<Entry<Item>> & {
  /** All texts, each after a space. */
  all: string;
};

function toTerms<Item>(entry: Entry<Item>): Terms<Item> {
  const { areas = [], words = [], isSure = false } = entry;
  const terms = {
    codes: entry.codes.map(normalizeText),
    names: [...new Set(entry.names.flatMap(spellings))],
    areas: areas.map(normalizeText),
    words: words.map(normalizeText),
  };
  return { ...entry, isSure, ...terms, all: ` ${Object.values(terms).flat().join(' ')}` };
}

const WORD_FIELDS = ['names', 'areas', 'words'];

/** Returns the errors allowed in a word. In a short word, an error would change the meaning. */
const editsOf = (edits: number) => (term: string) => (term.length >= 3 + edits ? edits : false);

async function indexTerms<Item>(terms: readonly Terms<Item>[]): Promise<MiniSearch> {
  const index = new MiniSearch({
    fields: ['codes', ...WORD_FIELDS],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => (EMPTY_WORDS.has(term) ? null : term),
    searchOptions: {
      prefix: true,
      combineWith: 'AND',
      boost: { codes: 3, names: 2 },
      boostDocument: (id) => terms[id as number]?.weight ?? 1,
    },
  });
  const documents = terms.map(({ codes, names, areas, words }, id) => ({
    id,
    codes: codes.join(' '),
    // Some people type a name as one word: `newyork`.
    names: [...names, ...names.map((name) => name.replaceAll(' ', ''))].join(' '),
    areas: areas.join(' '),
    words: words.join(' '),
  }));
  await index.addAllAsync(documents, { chunkSize: CHUNK });
  return index;
}

type Found<Item> = { entry: Terms<Item>; score: number; rank: number };

/**
 * Ranks how a whole text matches: 6 for a code; 5 for the name of a well-known item, 4 for another name; 3 for a region
 * or the beginning of a well-known name; 2 for the beginning of another name, or a code that may mean something else;
 * otherwise 1.
 */
function rankOf<Item>({ weight, codes, names, areas, isSure }: Terms<Item>, typed: string): number {
  const isKnown = weight >= KNOWN_WEIGHT;
  const isCode = codes.includes(typed);
  if (isCode && (isKnown || isSure || typed.length > 3)) return 6;
  if (names.includes(typed)) return isKnown ? 5 : 4;
  const isBeginning = names.some((name) => name.startsWith(typed));
  if (areas.includes(typed) || (isBeginning && isKnown)) return 3;
  return isCode || isBeginning ? 2 : 1;
}

/** Sorts by rank, then by weight. If only single words match, well-known items come first. */
function sortFound<Item>(found: Found<Item>[]): Item[] {
  const keysOf = ({ entry: { weight }, rank, score }: Found<Item>) =>
    rank > 2
      ? [rank, weight]
      : [0, Number(weight >= KNOWN_WEIGHT), rank, rank === 2 ? weight : score];
  return found
    .map(({ entry, ...rest }) => ({ item: entry.item, keys: keysOf({ entry, ...rest }) }))
    .toSorted((a, b) => {
      const at = a.keys.findIndex((key, place) => key !== b.keys[place]);
      return at < 0 ? 0 : (b.keys[at] ?? 0) - (a.keys[at] ?? 0);
    })
    .map(({ item }) => item);
}

/** Finds the names and codes that begin with one letter. An index would visit almost all items. */
function beginningWith<Item>(terms: readonly Terms<Item>[], letter: string): Found<Item>[] {
  return terms
    .filter(({ codes, names }) => [...codes, ...names].some((one) => one.startsWith(letter)))
    .map((entry) => ({ entry, score: 0, rank: 2 }));
}

/** Finds rare items of which a code or name contains all words of the text. */
function findRare<Item>(rare: readonly Terms<Item>[], typed: string): Found<Item>[] {
  const words = typed.split(' ').map((word) => ` ${word}`);
  return rare
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .map((entry) => ({ entry, score: 0, rank: rankOf(entry, typed) }));
}

/** A shorter text with an error could be the beginning of too many names. */
const MIN_MISSPELT_LENGTH = 4;

/**
 * Adds the well-known items of which a name begins almost as the text, with one error: `phili` finds Philadelphia. Adds
 * none if a name begins exactly as the text, or if the text is a code or a region.
 */
function withMisspelt<Item>(
  found: Found<Item>[],
  terms: readonly Terms<Item>[],
  typed: string,
): Found<Item>[] {
  const isMatched = found.some(({ rank }) => rank > 1);
  if (isMatched || typed.includes(' ') || typed.length < MIN_MISSPELT_LENGTH) return found;
  const isMisspelt = (name: string) => leven(name.slice(0, typed.length), typed) === 1;
  const added = terms.filter(
    ({ weight, names }) => weight >= KNOWN_WEIGHT && names.some(isMisspelt),
  );
  const others = found.filter(({ entry }) => !added.includes(entry));
  return [...added.map((entry) => ({ entry, score: 0, rank: 2 })), ...others];
}

/** Words in most names of airports. */
const EMPTY_WORDS = new Set(['airport', 'international']);

/** Removes single letters beside longer words, because almost all items contain a word with this letter. */
function withoutLooseLetters(typed: string): string {
  const words = typed.split(' ');
  return words.filter((word) => word.length > 1 || words.length === 1).join(' ');
}

/** Letters that Unicode does not decompose. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i', þ: 'th', ð: 'd' },
};
/** Words with a common short form. */
const FULL_WORDS: Readonly<Record<string, string>> = {
  ...{ st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount', intl: 'international' },
};
/** German and Nordic spelling without accents. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' },
};

/**
 * Converts a text to lower case without accents, apostrophes or punctuation, with one space between words. Short forms
 * such as `St.` become full words.
 */
export function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[ßøłæœđıþð]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}|['’ʻ]/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => FULL_WORDS[word] ?? word)
    .join(' ');
}

/** Returns a name as people type it: `munchen` and `muenchen`. */
function spellings(name: string): string[] {
  const spelledOut = name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[äöüåø]/g, (letter) => SPELLED_OUT[letter] ?? letter);
  return [...new Set([normalizeText(name), normalizeText(spelledOut)])];
}
