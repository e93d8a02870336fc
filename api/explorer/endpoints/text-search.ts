import leven from 'leven';
import MiniSearch from 'minisearch';
import { normalizeText, spellings } from './text-forms.ts';
import { mapInSlices } from './time-slices.ts';

/** An item that visitors can find, with the texts by which they find it. */
export type Entry<Item> = {
  item: Item;
  /**
   * Likelihood that people search for this item. Among items that match equally well, the item with the largest weight
   * comes first.
   */
  weight: number;
  /** Codes, such as `JFK` and `KJFK`. */
  codes: string[];
  /** Names, such as `New York`. Visitors may type only the beginning. */
  names: string[];
  /** Regions in which the item is, such as `Texas`. */
  areas?: string[];
  /** Further words, such as those in the full name of an airport. */
  words?: string[];
  /** Whether the exact code always means this item, even if a better-known name begins with the same letters. */
  isSure?: boolean;
};

/** Returns the items that match a text, best match first. The default limit is 8 items. */
export type TextSearch<Item> = (text: string, atMost?: number) => Item[];

/** Number of entries to index before a pause. API calls are answered during the pauses. */
const CHUNK = 50;
const MAX_RESULTS = 8;
/**
 * From this weight on, an item is well known. The code of a well-known item comes before names that begin with the
 * code.
 */
export const KNOWN_WEIGHT = 2;
/** Up to this weight, an item is rare. Rare items are not indexed, and are searched only if no other item matches. */
export const RARE_WEIGHT = 0.2;

/**
 * Creates a search over the entries. An item must match every word of the text. Typing errors are allowed only if
 * nothing matches exactly.
 */
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
        // If the text has typing errors, rank by the matched words.
        const meant = edits === 0 ? typed : matched.join(' ');
        return entry ? [{ entry, score, rank: rankOf(entry, meant) }] : [];
      });
  return (text, atMost = MAX_RESULTS) => {
    const typed = normalizeText(text);
    if (typed === '') return [];
    const steps = [
      () => withMisspelt(find(typed, 0), terms, typed),
      () => findJoined(terms, typed),
      () => findRare(rare, typed),
      () => withMisspelt(find(typed, 1), terms, typed),
      () => find(typed, 2),
      () => findSwapped(terms, typed),
    ];
    for (const step of steps) {
      const found = typed.length === 1 ? beginningWith(terms, typed) : step();
      if (found.length > 0) return sortFound(found).slice(0, atMost);
    }
    return [];
  };
}

/** The normalized texts of an entry. */
type Terms<Item> = Required<Entry<Item>> & {
  /** All texts in one string. Each text starts after a space. */
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

/** Returns a function that gives the number of errors allowed in a word. Short words must match exactly. */
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
    // Some people write a name without spaces: `newyork`.
    names: [...names, ...names.map((name) => name.replaceAll(' ', ''))].join(' '),
    areas: areas.join(' '),
    words: words.join(' '),
  }));
  await index.addAllAsync(documents, { chunkSize: CHUNK });
  return index;
}

type Found<Item> = { entry: Terms<Item>; score: number; rank: number };

/**
 * Returns how well an item matches the whole text: 6 for a code; 5 for a well-known name; 4 for another name; 3 for a
 * region, or the beginning of a well-known name; 2 for the beginning of another name, or an ambiguous code; otherwise
 * 1.
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

/**
 * Finds names and codes that begin with one letter. Searching them in the index would be slow, because almost all items
 * would match.
 */
function beginningWith<Item>(terms: readonly Terms<Item>[], letter: string): Found<Item>[] {
  return terms
    .filter(({ codes, names }) => [...codes, ...names].some((one) => one.startsWith(letter)))
    .map((entry) => ({ entry, score: 0, rank: 2 }));
}

/** Finds rare items. Each word of the text must be the beginning of a word in the item's texts. */
function findRare<Item>(rare: readonly Terms<Item>[], typed: string): Found<Item>[] {
  const words = typed.split(' ').map((word) => ` ${word}`);
  return rare
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .map((entry) => ({ entry, score: 0, rank: rankOf(entry, typed) }));
}

/** Finds well-known items whose name begins with the text without its spaces: `jet blue` finds JetBlue. */
function findJoined<Item>(terms: readonly Terms<Item>[], typed: string): Found<Item>[] {
  if (!typed.includes(' ')) return [];
  const text = typed.replaceAll(' ', '');
  return terms
    .filter(
      ({ weight, names }) => weight >= KNOWN_WEIGHT && names.some((one) => one.startsWith(text)),
    )
    .map((entry) => ({ entry, score: 0, rank: 3 }));
}

/** Minimum length of a text for `withMisspelt`. Shorter texts with an error would match too many names. */
const MIN_MISSPELT_LENGTH = 4;

/**
 * Adds well-known items whose name begins with the text except for one error: `phili` finds Philadelphia. Adds nothing
 * if the text is a code, a region or the exact beginning of a name.
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

/** Minimum length of a text for `findSwapped`. */
const MIN_SWAPPED_LENGTH = 5;

/**
 * Finds well-known items for a text with two swapped letters: `new yrok` finds New York. Swaps each pair of
 * neighbouring letters in turn. Then finds the items whose names begin with the result.
 */
function findSwapped<Item>(terms: readonly Terms<Item>[], typed: string): Found<Item>[] {
  if (typed.length < MIN_SWAPPED_LENGTH) return [];
  const swapped = Array.from(
    { length: typed.length - 1 },
    (_, at) => typed.slice(0, at) + typed[at + 1] + typed[at] + typed.slice(at + 2),
  );
  const isMeant = (name: string) => swapped.some((one) => name.startsWith(one));
  return terms
    .filter(({ weight, names }) => weight >= KNOWN_WEIGHT && names.some(isMeant))
    .map((entry) => ({ entry, score: 0, rank: 3 }));
}

/** Words that most names of airports contain. */
const EMPTY_WORDS = new Set(['airport', 'international']);

/** Removes single letters from a text of several words, because a single letter would match almost every item. */
function withoutLooseLetters(typed: string): string {
  const words = typed.split(' ');
  return words.filter((word) => word.length > 1 || words.length === 1).join(' ');
}
