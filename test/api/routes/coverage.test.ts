import test from 'ava';
import { coverageBodyOf } from '../../../api/presenters/coverage-body.ts';
import { coverageBody, type CoverageBody } from '../../../api/schemas/coverage.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import { aPart } from '../../helpers/store-part.ts';
import { anApi } from '../helpers/app.ts';
import { aCoverageService, HONG_KONG } from '../helpers/coverage-service.ts';

test('the coverage needs no key, and equals the data of its page', async (t) => {
  const get = aCoverageService();
  const { statusCode, payload, headers } = await get('/api/coverage');
  t.is(statusCode, 200);
  t.is(headers['access-control-allow-origin'], '*');
  const body = coverageBody.parse(JSON.parse(payload));
  t.deepEqual(body, JSON.parse((await get('/explorer/coverage')).payload));
  t.deepEqual(
    body.records.map(({ provider, routes }) => [provider, routes[0]?.name]),
    [
      ['bts', 'JFK JFK to LAX LAX'],
      ['hkia', 'HKG HKG to NRT NRT'],
    ],
  );
});

test('a repeated call with the ETag of the coverage gets 304', async (t) => {
  const get = aCoverageService();
  const { etag } = (await get('/api/coverage')).headers;
  const again = await get('/api/coverage', { 'if-none-match': String(etag) });
  t.deepEqual([again.statusCode, again.payload], [304, '']);
});

test('provider= lists one record; a misspelled parameter is refused', async (t) => {
  const get = aCoverageService();
  const names = async (query: string) =>
    (JSON.parse((await get(`/api/coverage${query}`)).payload) as CoverageBody).records.map(
      ({ provider }) => provider,
    );
  t.deepEqual(await names('?provider=hkia'), ['hkia']);
  t.deepEqual(await names('?provider=caa'), []);
  t.deepEqual(await names('?provider=undefined'), []);
  t.deepEqual(await names(''), ['bts', 'hkia']);
  t.is((await get('/api/coverage?provder=hkia')).statusCode, 400);
  t.is((await get('/api/coverage?provider=Hong Kong')).statusCode, 400);
});

test('the accuracy of a record is known without a model, in the answer and on the page', async (t) => {
  const accuracy = { state: 'failed', why: 'a constant forecast is better' };
  const get = aCoverageService({ ...HONG_KONG, accuracy });
  const body = JSON.parse((await get('/api/coverage')).payload) as CoverageBody;
  t.deepEqual(
    body.records.map((record) => record.accuracy),
    [null, { ...accuracy, measured: null }],
  );
  const page = (await get('/model')).payload.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  t.true(page.includes('No model is published.'));
  t.true(page.includes('Result A simple forecast was better : a constant forecast is better.'));
});

test('without a store the coverage is unavailable', async (t) => {
  const { status } = await anApi({ stores: { current: () => undefined } })('/api/coverage');
  t.is(status, 503);
});

test('the age counts the days since the end of the last month', (t) => {
  const store = openStore(aPart('hkia', ['HKG', 'NRT']).store);
  const age = (today: string) => coverageBodyOf(store, today).records[0]?.months;
  const last = age('2025-02-01')?.last;
  t.is(last, '2025-01');
  t.is(age('2025-02-01')?.age_days, 0);
  t.is(age('2025-03-10')?.age_days, 37);
  t.is(age('2025-01-31')?.age_days, 0);
});
