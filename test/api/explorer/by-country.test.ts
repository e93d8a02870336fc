import test from 'ava';
import type { RankingData } from '../../../api/explorer/views/places/places-data.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';
import { WORLD } from '../helpers/world-store.ts';

const deps = { ...explorerDeps(), stores: { current: () => WORLD } };
const json = createJsonGet(deps);
const get = createPageGet(deps);

const countriesOf = async (subject: 'airports' | 'airlines') => {
  const { countries } = (await json(`/explorer/ranking?of=${subject}`)) as RankingData;
  return countries.map(({ country, country_code, items }) => [
    country,
    country_code,
    items.map(({ code }) => code),
  ]);
};

test('the pages of airports and airlines list all records by country, busiest first', async (t) => {
  t.deepEqual(await countriesOf('airports'), [
    ['Australia', 'AU', ['SYD']],
    ['Hong Kong', 'HK', ['HKG']],
    ['United States', 'US', ['JFK', 'LAX']],
  ]);
  const [country, , codes] = (await countriesOf('airlines')).at(-1) ?? [];
  t.is(country, 'United States');
  t.true((codes as string[]).includes('DL'));
  const page = (await get('/airports')).payload;
  t.true(page.includes('<a href="/airports/HKG">City of HKG HKG</a>'));
  t.regex(page, /<img [^>]*src="\/explorer\/flags\/HK\.svg" alt[ =]/);
  t.true(textOf(page).includes('United States 2'));
});

test('flags are files of this site, and other names are refused', async (t) => {
  const flag = await get('/explorer/flags/HK.svg');
  t.is(flag.headers['content-type'], 'image/svg+xml');
  t.true(flag.payload.startsWith('<svg '));
  for (const name of ['ZZ.svg', 'hk.svg', 'HK', '..%2F..%2Fpackage.json']) {
    t.is((await get(`/explorer/flags/${name}`)).statusCode, 404, name);
  }
});
