import test from 'ava';
import { chanceText } from '../../../api/explorer/views/chance-lines.ts';
import type {
  AirlineData,
  AirportData,
  RankingData,
} from '../../../api/explorer/views/places/places-data.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';
import { createJsonGet, createPageGet, textOf } from '../helpers/page-get.ts';
import { WORLD } from '../helpers/world-store.ts';

const deps = { ...explorerDeps(), stores: { current: () => WORLD } };
const json = createJsonGet(deps);
const get = createPageGet(deps);

const rankingOf = async (query: string) =>
  (await json(`/explorer/ranking?of=${query}`)) as RankingData;

test('the pages of airports and airlines link to the countries of all records', async (t) => {
  t.deepEqual((await rankingOf('airports')).countries, [
    { code: 'AU', name: 'Australia', items: 1 },
    { code: 'HK', name: 'Hong Kong', items: 1 },
    { code: 'US', name: 'United States', items: 2 },
  ]);
  t.is((await rankingOf('airlines')).countries.at(-1)?.name, 'United States');
  const page = (await get('/airports')).payload;
  t.regex(
    page,
    /<img [^>]*src="\/explorer\/flags\/HK\.svg" alt[^>]*> <a href="\/airports\?country=HK"/,
  );
  t.true(textOf(page).includes('United States 2'));
});

test('the airports of a country have the figures of their own pages', async (t) => {
  for (const [country, codes] of Object.entries({ HK: ['HKG'], AU: ['SYD'], US: ['JFK', 'LAX'] })) {
    const { figures, rated } = await rankingOf(`airports&country=${country.toLowerCase()}`);
    t.deepEqual(
      figures.map(({ code }) => code),
      codes,
    );
    const page = textOf((await get(`/airports?country=${country}`)).payload);
    for (const { code, flights, late_share, usual, compared } of figures) {
      const own = (await json(`/explorer/airport?airport=${code}`)) as AirportData;
      t.deepEqual([flights, late_share], [own.record.flights, own.late_share], code);
      t.deepEqual(usual, own.usual.departures, code);
      t.deepEqual(compared, endsOf(own.compared.departures), code);
      t.is(
        compared !== null,
        rated.some((one) => one.code === code),
      );
      t.true(page.includes(usual ? chanceText(usual.share, 'en-GB') : 'unknown'), code);
    }
  }
  const australia = (await get('/airports?country=AU')).payload;
  t.true(textOf(australia).includes('None of these airports can be compared'));
  t.true(australia.includes('<title>Airports, compared fairly: Australia'));
});

test('the airlines of a country have the figures of their own pages', async (t) => {
  const { figures } = await rankingOf('airlines&country=US');
  t.true(figures.some(({ compared }) => compared !== null));
  for (const { code, flights, late_share, usual, compared } of figures) {
    const own = (await json(`/explorer/airline?airline=${code}`)) as AirlineData;
    t.deepEqual([flights, late_share], [own.record.flights, own.late_share], code);
    t.deepEqual([usual, compared], [own.usual, endsOf(own.compared)], code);
  }
});

function endsOf(compared: AirportData['compared']['departures']) {
  if (!compared) return null;
  const { ratio, low, high } = compared;
  return { ratio, low, high };
}

test('a country without recorded flights gets 404, a text that is not a country code gets 400', async (t) => {
  t.is((await get('/airports?country=ZZ')).statusCode, 404);
  t.is((await get('/airports?country=Hongkong')).statusCode, 400);
});

test('flags are files of this site, and other names are refused', async (t) => {
  const flag = await get('/explorer/flags/HK.svg');
  t.is(flag.headers['content-type'], 'image/svg+xml');
  t.true(flag.payload.startsWith('<svg '));
  for (const name of ['ZZ.svg', 'hk.svg', 'HK', '..%2F..%2Fpackage.json']) {
    t.is((await get(`/explorer/flags/${name}`)).statusCode, 404, name);
  }
});
