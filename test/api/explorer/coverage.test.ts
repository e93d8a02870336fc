import test from 'ava';
import inject from 'light-my-request';
import type { RequestListener } from 'node:http';
import { createApp } from '../../../api/app.ts';
import type { CoverageData } from '../../../api/explorer/views/coverage/coverage-data.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { withParts } from '../../../warehouse/store/parts.ts';
import type { ProviderStore } from '../../../warehouse/store/parts.ts';
import { storeFilesOf } from '../../helpers/store-files.ts';
import { aPart } from '../../helpers/store-part.ts';
import { someDeps } from '../helpers/app.ts';
import { explorerDeps } from '../helpers/explorer-world.ts';

const airport = (iata: string, code: string, time_zone: string) => ({
  ...{ iata, name: `Airport ${iata}`, city: iata, country: code, country_code: code, time_zone },
  ...{ latitude: 10, longitude: iata.charCodeAt(0) },
});

const STATS = {
  ...{ flight_count: 100, completed_count: 100, delayed_count: 10, cancelled_count: 0 },
  ...{ delayed_min_sum: 400, delayed_rate: 0.1, cancelled_rate: 0 },
};

const HOME = storeFilesOf({
  airports: [
    airport('CDG', 'FR', 'Europe/Paris'),
    airport('HKG', 'HK', 'Asia/Hong_Kong'),
    airport('JFK', 'US', 'America/New_York'),
    airport('LAX', 'US', 'America/Los_Angeles'),
    airport('LHR', 'GB', 'Europe/London'),
    airport('NRT', 'JP', 'Asia/Tokyo'),
  ],
  airlines: [{ iata: 'DL', name: 'Delta Air Lines', country: 'United States' }],
  routes: [{ origin: 'JFK', dest: 'LAX', ...STATS }],
  route_carriers: [{ origin: 'JFK', dest: 'LAX', carrier: 'DL', ...STATS }],
  route_records: [{ first_month: 669, last_month: 671 }],
  flight_odds: [{ hour: -1, log_odds: 0, summer_log_odds: 0, winter_log_odds: 0 }],
});

const HONG_KONG = {
  ...aPart('hkia', ['HKG', 'NRT']),
  ...{ title: 'Hong Kong International Airport', url: 'https://hk.example/', countries: ['HK'] },
};

/** Sends a request to pages whose store has the American record and the record of Hong Kong. */
function aService(part: ProviderStore = HONG_KONG) {
  const store = openStore(withParts(HOME, [part]));
  const deps = someDeps({ ...explorerDeps(), stores: { current: () => store } });
  const handle = createApp(deps).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return async (url: string) => inject(listener, { url, headers: { accept: 'text/html' } });
}

test('the coverage has routes, airlines, months, provider and terms of each record', async (t) => {
  const get = aService();
  const data = JSON.parse((await get('/explorer/coverage')).payload) as CoverageData;
  t.deepEqual(
    data.records.map(({ provider }) => provider),
    ['bts', 'hkia'],
  );
  t.like(data.records[1], {
    title: 'Hong Kong International Airport',
    countries: ['HK'],
    terms: 'open',
    flights: 40,
    route_count: 1,
    airline_count: 1,
    airports: 2,
    inferred_over_min: null,
  });
  t.deepEqual(data.records[1]?.airlines, [
    {
      ...{ code: 'CX', name: 'Cathay Pacific', routes: 1, flights: 40 },
      ...{ first: '2025-10', last: '2025-12' },
    },
  ]);
  t.like(data.records[0], {
    countries: ['US'],
    terms: 'A work of the U.S. government, in the public domain.',
  });
});

test('the page of the coverage links to airlines and routes of every record', async (t) => {
  const get = aService();
  const { statusCode, payload } = await get('/coverage');
  t.is(statusCode, 200);
  t.regex(payload, /Hong Kong SAR China/);
  for (const address of ['/airlines/CX', '/routes/HKG-NRT', '/airports/HKG']) {
    t.is((await get(address)).statusCode, 200, address);
    t.true((await get('/sitemap.xml')).payload.includes(`${address}</loc>`), address);
  }
  t.true(payload.includes('href="/airlines/CX"') && payload.includes('href="/routes/HKG-NRT"'));
  t.true((await get('/status')).payload.includes('href="/coverage"'), 'in the footer');
});

test('an airport and an airline are shown from the record with most of their flights', async (t) => {
  const get = aService();
  const airport = JSON.parse((await get('/explorer/airport?airport=HKG')).payload) as {
    record: { flights: number };
    airport: { time_zone: string };
  };
  t.is(airport.record.flights, 40);
  t.is(airport.airport.time_zone, 'Asia/Hong_Kong');
  const airline = JSON.parse((await get('/explorer/airline?airline=CX')).payload) as {
    record: { flights: number };
  };
  t.is(airline.record.flights, 40);
});

test('a record without all delays and with whole years says so', async (t) => {
  const part = aPart('caa', ['LHR', 'CDG']);
  const inferred = [{ minutes: 120, of: 30, share: 0.1, error: 0.05 }];
  const { manifest } = part.store;
  const store = { ...part.store, manifest: { ...manifest, years: ['2019'], inferred } };
  const get = aService({ ...part, store });
  const { payload } = await get('/coverage');
  t.regex(payload, /Years known only as totals<\/dt>\s*<dd>2019/);
  t.regex(payload, /Delays over 120 min are not counted there/);
});
