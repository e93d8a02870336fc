import { createProvider } from '../provider.ts';
import { BTS_FORMS } from './forms.ts';

/** The U.S. Bureau of Transportation Statistics. */
export const BTS = createProvider({
  name: 'bts',
  title: 'U.S. Bureau of Transportation Statistics',
  countries: ['US'],
  attribution: 'U.S. Bureau of Transportation Statistics',
  terms: 'A work of the U.S. government, in the public domain.',
  url: 'https://www.transtats.bts.gov/',
  folder: import.meta.dirname,
  forms: BTS_FORMS.map((form) => ({ ...form, keepsOrder: true })),
});
