import test, { type ExecutionContext } from 'ava';
import { generateKey, hashKey } from '../../../warehouse/keyring/format.ts';
import { usageBody, validateKeyBody } from '../../../api/schemas/keys.ts';
import { formatRow } from '../../../warehouse/keyring/history.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { anApi, NOW, scoreUrl } from '../helpers/app.ts';
import { aKey, aKeystore } from '../helpers/keystore.ts';

const server = await borrowRedis((stop) => test.after.always(stop));
const CREATED = new Date('2026-01-15T09:30:00Z');

/**
 * Creates a key in January with a limit of 40 calls a month. Adds `rows` to the key's history, and makes two calls in
 * March.
 */
async function aUsedKey(t: ExecutionContext, rows: [month: string, requests: number][] = []) {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey, prefix } = await aKey(keys, 40, CREATED);
  for (const [month, requests] of rows) {
    const text = formatRow({ requests, monthlyLimit: 40, loggedAt: '2026-03-01T00:05:00.000Z' });
    await redis.hset(`hw:history:{${hashKey(apiKey)}}`, month, text);
  }
  const call = anApi({ keys });
  await call(scoreUrl({ api_key: apiKey }));
  await call(scoreUrl({ api_key: apiKey }));
  const sendRequest = (path: string) => call(`/api/keys/${path}api_key=${apiKey}`);
  return { keys, apiKey, prefix, call, sendRequest };
}

test('validate returns the current month of an active key, in the order of the specification', async (t) => {
  const { prefix, sendRequest } = await aUsedKey(t);
  const { status, headers, body } = await sendRequest('validate?');
  t.is(status, 200);
  validateKeyBody.parse(body);
  t.is(
    JSON.stringify(body),
    JSON.stringify({
      valid: true,
      prefix,
      name: 'A shop',
      monthly_limit: 40,
      month_count: 2,
      total_requests: 2,
      created_at: '2026-01-15T09:30:00.000Z',
      requests_this_month: 2,
    }),
  );
  t.like(headers, { 'cache-control': 'no-store', 'x-ratelimit-remaining': '38' });
});

test('validate refuses unknown, mistyped and inactive keys with identical answers and valid: false', async (t) => {
  const { keys, apiKey, prefix, call } = await aUsedKey(t);
  await keys.setActive(prefix, false, NOW);
  for (const key of [apiKey, generateKey('live'), 'hw_live_mistyped']) {
    const { status, body } = await call(`/api/keys/validate?api_key=${key}`);
    t.is(status, 401);
    t.is(
      JSON.stringify(body),
      '{"error":"invalid_api_key","message":"This API key is unknown or inactive.","valid":false}',
    );
  }
  const missing = await call('/api/keys/validate');
  t.like(missing, { status: 401, body: { error: 'missing_api_key' } });
});

test('usage returns the current month and the finished ones, newest first, in the order of the specification', async (t) => {
  const { prefix, sendRequest } = await aUsedKey(t, [
    ['2026-01', 0],
    ['2026-02', 13],
  ]);
  const { status, body } = await sendRequest('usage?');
  t.is(status, 200);
  usageBody.parse(body);
  const past = { monthly_limit: 40, logged_at: '2026-03-01T00:05:00.000Z' };
  const row = (month: number, requests: number, usage_pct: number) => ({
    year: 2026,
    month,
    requests,
    monthly_limit: past.monthly_limit,
    usage_pct,
    logged_at: past.logged_at,
    period: 'historical',
  });
  t.is(
    JSON.stringify(body),
    JSON.stringify({
      key_prefix: prefix,
      name: 'A shop',
      current_month: { year: 2026, month: 3, requests: 2, monthly_limit: 40, period: 'current' },
      history: [row(2, 13, 32.5), row(1, 0, 0)],
      total_requests_all_time: 2,
    }),
  );
});

test('year and month filter the history but not the current month; the maximum is 24 rows', async (t) => {
  const months = [2024, 2025].flatMap((year) =>
    Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, '0')}`),
  );
  const { sendRequest } = await aUsedKey(
    t,
    ['2023-12', ...months].map((month) => [month, 1]),
  );
  const historyOf = async (query: string) => {
    const body = usageBody.parse((await sendRequest(`usage?${query}`)).body);
    t.is(body.current_month.requests, 2);
    return body.history.map(({ year, month }) => `${year}-${month}`);
  };
  const all = await historyOf('');
  t.is(all.length, 24);
  t.is(all[0], '2025-12');
  t.is(all[23], '2024-1');
  t.deepEqual(await historyOf('month=3&'), ['2025-3', '2024-3']);
  t.deepEqual(await historyOf('year=2024&month=07&'), ['2024-7']);
  t.is((await historyOf('year=2025&')).length, 12);
  t.deepEqual(await historyOf('year=2023&'), []);
});

for (const [query, param] of [
  ['year=0', 'year'],
  ['year=26', 'year'],
  ['year=1999', 'year'],
  ['year=20x6', 'year'],
  ['month=0', 'month'],
  ['month=13', 'month'],
  ['month=1.5', 'month'],
  ['month=3&month=4', 'month'],
]) {
  test(`usage refuses ${query}`, async (t) => {
    const { sendRequest } = await aUsedKey(t);
    const answer = await sendRequest(`usage?${query}&`);
    t.like(answer, { status: 400, body: { error: 'invalid_parameter', param } });
  });
}

test('validate and usage are not counted, and answer also when the limit is reached', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 1, CREATED);
  const call = anApi({ keys });
  await call(scoreUrl({ api_key: apiKey }));
  t.is((await call(scoreUrl({ api_key: apiKey }))).status, 429);
  for (const path of ['validate', 'usage', 'validate', 'usage']) {
    const { status, headers } = await call(`/api/keys/${path}?api_key=${apiKey}`);
    t.is(status, 200);
    t.is(headers['x-ratelimit-remaining'], '0');
  }
  const { body } = await call(`/api/keys/validate?api_key=${apiKey}`);
  t.like(body, { month_count: 1, total_requests: 1 });
});
