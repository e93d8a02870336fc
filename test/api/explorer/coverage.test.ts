import test from 'ava';
import type { CoverageBody } from '../../../api/schemas/coverage.ts';
import { aPart } from '../../helpers/store-part.ts';
import { aCoverageService } from '../helpers/coverage-service.ts';

test('the coverage has routes, airlines, months, provider and terms of each record', async (t) => {
  const get = aCoverageService();
  const data = JSON.parse((await get('/explorer/coverage')).payload) as CoverageBody;
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
  const get = aCoverageService();
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
  const get = aCoverageService();
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

test('the page of a record names the delays that it does not count, and the years that it knows only as totals', async (t) => {
  const part = aPart('caa', ['LHR', 'CDG']);
  const inferred = [{ minutes: 120, of: 30, share: 0.1, error: 0.05 }];
  const { manifest } = part.store;
  const store = { ...part.store, manifest: { ...manifest, years: ['2019'], inferred } };
  const get = aCoverageService({ ...part, store });
  const { payload } = await get('/coverage');
  t.regex(payload, /Years known only as totals<\/dt>\s*<dd>2019/);
  t.regex(payload, /does not say how many flights were more than 120 minutes late/);
});
