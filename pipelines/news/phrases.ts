import de from './phrases/de.json' with { type: 'json' };
import en from './phrases/en.json' with { type: 'json' };
import es from './phrases/es.json' with { type: 'json' };
import fr from './phrases/fr.json' with { type: 'json' };
import it from './phrases/it.json' with { type: 'json' };

/** Sections of a phrase file; docs/news.md describes them. */
export type Section = Exclude<keyof typeof en, 'words'>;

/** A phrase of the phrase file that was found in a text, with its weight. */
export type PhraseMatch = { phrase: string; weight: number };

type Phrase = PhraseMatch & { literal: string; pattern: RegExp };
type Language = { words: Set<string>; sections: Record<Section, Phrase[]> };

const LANGUAGES: Language[] = [en, de, fr, es, it].map(({ words, ...sections }) => ({
  words: new Set(words.common),
  sections: compile(sections),
}));

/**
 * Converts a text for phrase matching: lower case, no accents, words separated by single blanks, one blank at both
 * ends.
 */
export function foldText(text: string): string {
  const words = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ');
  return ` ${words.trim()} `;
}

/**
 * Returns the likely languages of a folded text: the languages whose common words occur most often in the text. Returns
 * all languages if no common word occurs.
 */
export function languagesOf(text: string): Language[] {
  const words = text.split(' ');
  const counts = LANGUAGES.map(
    (language) => words.filter((word) => language.words.has(word)).length,
  );
  const most = Math.max(...counts);
  return LANGUAGES.filter((_, index) => counts[index] === most);
}

/** Finds the phrases of a section that occur in a folded text. Returns each phrase once. */
export function findPhrases(text: string, section: Section, languages: Language[]): PhraseMatch[] {
  const matches = languages
    .flatMap(({ sections }) => sections[section])
    // Searches for the longest plain word of the phrase first. This excludes most phrases, and takes a tenth of the
    // time that the pattern takes.
    .filter(({ literal, pattern }) => text.includes(literal) && pattern.test(text));
  return [...new Map(matches.map(({ phrase, weight }) => [phrase, { phrase, weight }])).values()];
}

function compile(file: Record<Section, Record<string, string[]>>): Record<Section, Phrase[]> {
  const sections = Object.entries(file).map(([section, byWeight]) => [
    section,
    Object.entries(byWeight).flatMap(([weight, phrases]) =>
      phrases.map((phrase) => compilePhrase(phrase, Number(weight))),
    ),
  ]);
  return Object.fromEntries(sections) as Record<Section, Phrase[]>;
}

/** `*` matches the rest of a word, `..` up to four words. */
function compilePhrase(phrase: string, weight: number): Phrase {
  const literals = phrase.split(/[ .*]+/).toSorted((a, b) => b.length - a.length);
  const source = phrase.replaceAll(' .. ', '(?: [a-z0-9]+){0,4} ').replaceAll('*', '[a-z0-9]*');
  return { phrase, weight, literal: literals[0] ?? '', pattern: new RegExp(` ${source} `) };
}
