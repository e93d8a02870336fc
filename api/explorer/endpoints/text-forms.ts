/** Plain forms of letters that Unicode normalization does not change. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', đ: 'd', ı: 'i', þ: 'th', ð: 'd' },
};
/** Full words for common short forms. */
const FULL_WORDS: Readonly<Record<string, string>> = {
  ...{ st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount', intl: 'international' },
};
/** German and Nordic spellings of letters with accents. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' },
};

/**
 * Normalizes a text: lower case, no accents, apostrophes or punctuation, and single spaces. Short forms such as `St.`
 * become full words.
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

/** Returns the spellings that people type for a name, such as `munchen` and `muenchen`. */
export function spellings(name: string): string[] {
  const spelledOut = name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[äöüåø]/g, (letter) => SPELLED_OUT[letter] ?? letter);
  return [...new Set([normalizeText(name), normalizeText(spelledOut)])];
}
