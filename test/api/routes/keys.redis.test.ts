import test from 'ava';
import { generateKey, hashKey, isWellFormedKey } from '../../../warehouse/keyring/format.ts';
import { createKeyBody } from '../../../api/schemas/keys.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { anApi, NOW, scoreUrl, SOME_KEY } from '../helpers/app.ts';
import { aKey, aKeystore } from '../helpers/keystore.ts';

const server = await borrowRedis((stop) => test.after.always(stop));

async function aSetup(t: { teardown: (end: () => void) => void }) {
  const { keys, redis } = await aKeystore(t, server.url);
  const admin = await keys.create({ name: 'Ops', email: '', monthlyLimit: 1 }, 'live', NOW, true);
  return { keys, redis, adminKey: admin.apiKey, call: anApi({ keys }) };
}

function createUrl(changes: Record<string, string> = {}): string {
  const params = { name: 'A shop', email: 'shop@example.com', ...changes };
  return `/api/keys/create?${new URLSearchParams(params)}`;
}

test('an admin key creates a production key that works, with the default limit of 100', async (t) => {
  const { redis, adminKey, call } = await aSetup(t);
  const { status, headers, body } = await call(createUrl({ api_key: adminKey }));
  t.is(status, 200);
  const created = createKeyBody.parse(body);
  t.deepEqual(Object.keys(body), ['api_key', 'prefix', 'monthly_limit', 'message']);
  t.true(isWellFormedKey(created.api_key));
  t.true(created.api_key.startsWith('hw_live_'));
  t.is(created.prefix, created.api_key.slice(0, 14));
  t.is(created.monthly_limit, 100);
  t.regex(created.message, /save this key/i);
  t.like(headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  t.like(await redis.hgetall(`hw:key:{${hashKey(created.api_key)}}`), {
    name: 'A shop',
    email: 'shop@example.com',
    admin: '0',
    created_at: NOW.toISOString(),
  });
  t.is((await call(scoreUrl({ api_key: created.api_key }))).status, 200);
});

test('the admin key may be sent as X-Admin-Key, which takes precedence over api_key', async (t) => {
  const { keys, adminKey, call } = await aSetup(t);
  const headers = { 'X-Admin-Key': adminKey };
  t.is((await call(createUrl(), { headers })).status, 200);
  const { apiKey } = await aKey(keys, 5, NOW);
  t.is((await call(createUrl({ api_key: apiKey }), { headers })).status, 200);
  t.is((await call(scoreUrl({ api_key: undefined }), { headers })).status, 401);
});

test('an ordinary key gets 403 with any parameters; an unknown or missing key gets 401', async (t) => {
  const { keys, call } = await aSetup(t);
  const { apiKey } = await aKey(keys, 5, NOW);
  const forbidden = { error: 'forbidden', message: 'This endpoint needs an admin key.' };
  for (const changes of [{}, { name: '' }, { monthly_limit: '0' }]) {
    const { status, body } = await call(createUrl({ ...changes, api_key: apiKey }));
    t.deepEqual({ status, body }, { status: 403, body: forbidden });
  }
  const unknown = await call(createUrl({ api_key: generateKey('live') }));
  t.like(unknown, { status: 401, body: { error: 'invalid_api_key' } });
  t.like(await call(createUrl()), { status: 401, body: { error: 'missing_api_key' } });
});

test('creating keys is not counted, so an admin key does not run out', async (t) => {
  const { adminKey, call } = await aSetup(t);
  for (const _ of [1, 2, 3]) {
    const { status, headers } = await call(createUrl({ api_key: adminKey }));
    t.is(status, 200);
    t.is(headers['x-ratelimit-remaining'], '1');
  }
});

const bad = [
  ['name', '', 'missing_parameter', 'name is missing.'],
  ['name', '   ', 'invalid_parameter', 'name must not be blank.'],
  ['name', 'x'.repeat(101), 'invalid_parameter', 'name must have at most 100 characters.'],
  ['name', 'a\u001B[2Jb', 'invalid_parameter', 'name must not contain control characters.'],
  [
    'name',
    'me@shop.example',
    'invalid_parameter',
    'name must not contain a key or an e-mail address.',
  ],
  ['name', SOME_KEY, 'invalid_parameter', 'name must not contain a key or an e-mail address.'],
  ['email', `${SOME_KEY}@shop.example`, 'invalid_parameter', 'email must not contain a key.'],
  ['email', '', 'missing_parameter', 'email is missing.'],
  ['email', 'nobody', 'invalid_parameter', 'email must be an e-mail address.'],
  ['email', 'a@b', 'invalid_parameter', 'email must be an e-mail address.'],
  ...['0', '-1', '1.5', '1e3', '10000001', 'many'].map((limit) => [
    'monthly_limit',
    limit,
    'invalid_parameter',
    'monthly_limit must be a whole number from 1 to 10000000.',
  ]),
] as [param: string, value: string, error: string, message: string][];

for (const [param, value, error, message] of bad) {
  test(`no key is created with ${param} ${JSON.stringify(value)}`, async (t) => {
    const { adminKey, call } = await aSetup(t);
    const { status, body } = await call(createUrl({ [param]: value, api_key: adminKey }));
    t.deepEqual({ status, body }, { status: 400, body: { error, message, param } });
  });
}

test('limits from 1 to ten million and names of 1 to 100 characters are accepted', async (t) => {
  const { adminKey, call } = await aSetup(t);
  for (const monthly_limit of ['1', '10000000']) {
    const url = createUrl({ monthly_limit, api_key: adminKey });
    t.like(await call(url), { status: 200, body: { monthly_limit: Number(monthly_limit) } });
  }
  for (const name of ['x', 'é'.repeat(100)]) {
    t.is((await call(createUrl({ name, api_key: adminKey }))).status, 200);
  }
});

test('a prefetch or a request from another site creates no key', async (t) => {
  const { adminKey, call } = await aSetup(t);
  for (const headers of [
    { 'Sec-Purpose': 'prefetch' },
    { 'Sec-Purpose': 'prefetch;prerender' },
    { Purpose: 'prefetch' },
    { 'X-Moz': 'prefetch' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    const answer = await call(createUrl({ api_key: adminKey }), { headers });
    t.like(answer, { status: 403, body: { error: 'forbidden' } }, JSON.stringify(headers));
  }
  const typed = { 'Sec-Fetch-Site': 'none' };
  t.is((await call(createUrl({ api_key: adminKey }), { headers: typed })).status, 200);
});

test('HEAD and POST create no key: they get 405, and only GET is allowed', async (t) => {
  const { keys, adminKey } = await aSetup(t);
  let count = 0;
  const create: typeof keys.create = (...input) => {
    count += 1;
    return keys.create(...input);
  };
  const call = anApi({ keys: { ...keys, create } });
  for (const method of ['HEAD', 'POST']) {
    const answer = await call(createUrl({ api_key: adminKey }), { method });
    t.is(answer.status, 405);
    t.is(answer.headers['allow'], 'GET');
  }
  t.is(count, 0);
});
