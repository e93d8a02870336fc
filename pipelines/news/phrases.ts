import de from './phrases/de.json' with { type: 'json' };
import en from './phrases/en.json' with { type: 'json' };
import es from './phrases/es.json' with { type: 'json' };
import fr from './phrases/fr.json' with { type: 'json' };
import it from './phrases/it.json' with { type: 'json' };

/** Sections of a phrase file; docs/news.md says what each is for. */
export type Section = Exclude<keyof typeof en, 'words'>;

/** A phrase that was found, as it is written in the file, and its weight there. */
export type Found = { phrase: string; weight: number };

type Phrase = Found & { literal: string; pattern: RegExp };
type Language = { words: Set<string>; sections: Record<Section, Phrase[]> };

const LANGUAGES: Language[] = [en, de, fr, es, it].map(({ words, ...sections }) => ({
  words: new Set(words.common),
  sections: compile(sections),
}));

/** Lower case, without accents, words apart by one blank and one at both ends: what phrases are matched against. */
export function folded(text: string): string {
  const words = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ');
  return ` ${words.trim()} `;
}

/** The languages a folded text may be in: those with most of its common words, all when it has none. */
export function languagesOf(text: string): Language[] {
  const words = text.split(' ');
  const counts = LANGUAGES.map(
    (language) => words.filter((word) => language.words.has(word)).length,
  );
  const most = Math.max(...counts);
  return LANGUAGES.filter((_, index) => counts[index] === most);
}

/** The phrases of a section found in a folded text, each once. */
export function findPhrases(text: string, section: Section, languages: Language[]): Found[] {
  const found = languages
    .flatMap(({ sections }) => sections[section])
    // The look for the longest plain word costs a tenth of the pattern, and most phrases end there.
    .filter(({ literal, pattern }) => text.includes(literal) && pattern.test(text));
  return [...new Map(found.map(({ phrase, weight }) => [phrase, { phrase, weight }])).values()];
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

/** `*` stands for the rest of a word, `..` for up to four words. */
function compilePhrase(phrase: string, weight: number): Phrase {
  const plain = phrase.split(/[ .*]+/).toSorted((a, b) => b.length - a.length);
  const source = phrase.replaceAll(' .. ', '(?: [a-z0-9]+){0,4} ').replaceAll('*', '[a-z0-9]*');
  return { phrase, weight, literal: plain[0] ?? '', pattern: new RegExp(` ${source} `) };
}
