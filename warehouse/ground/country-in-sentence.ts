const NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

/** Names of countries that need an article in a sentence. */
const NEEDS_ARTICLE =
  /^(United |Netherlands|Philippines|Bahamas|Maldives|Gambia|Dominican Republic|Central African)|(Islands|Emirates)$/;

/** Returns the name of a country as a sentence uses it: `the United States`, `Italy`. */
export function countryInSentence(code: string): string {
  const name = NAMES.of(code) ?? code;
  return NEEDS_ARTICLE.test(name) ? `the ${name}` : name;
}
