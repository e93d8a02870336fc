import type { ScoreStore } from '../../warehouse/store/types.ts';

type ProviderFacts = { title: string; url: string; countries: readonly string[]; terms: string };

/** Facts of the American record. */
const HOME: ProviderFacts = {
  title: 'U.S. Bureau of Transportation Statistics',
  url: 'https://www.transtats.bts.gov/',
  countries: ['US'],
  terms: 'A work of the U.S. government, in the public domain.',
};

/** Describes the provider of a record. The manifest of the American record does not describe its provider. */
export function providerFacts({ manifest }: Pick<ScoreStore, 'manifest'>): ProviderFacts {
  if (manifest.attribution === undefined) return HOME;
  const { provider, title = provider, url = '', countries = [], terms = '' } = manifest;
  return { title, url, countries, terms };
}
