import test from 'ava';
import { generateKey, hashKey } from '../../warehouse/keyring/format.ts';
import { borrowRedis } from '../helpers/redis.ts';
import { anApi, NOW, scoreUrl } from './helpers/app.ts';
import { aKey, aKeystore, countsOf } from './helpers/keystore.ts';

const server = await borrowRedis((stop) => test.after.always(stop));
const MONTH = '2026-03';

test('a wrong key gets 401 regardless of the parameters', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const call = anApi({ keys });
  const wrong = { error: 'invalid_api_key', message: 'This API key is unknown or inactive.' };
  const unknown = generateKey('live');
  for (const changes of [{}, { date: 'never' }, { origin: 'ZZZ' }]) {
    const answer = await call(scoreUrl({ ...changes, api_key: unknown }));
    t.like(answer, { status: 401, body: wrong });
    t.is(answer.headers['x-ratelimit-limit'], undefined);
  }
  t.like(await call(scoreUrl({ date: 'never', api_key: undefined })), { status: 401 });
});

test('an inactive key gets the same answer as an unknown key', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey, prefix } = await aKey(keys, 5, NOW);
  await keys.setActive(prefix, false, NOW);
  const call = anApi({ keys });
  const inactive = await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }));
  const unknown = await call(scoreUrl({ api_key: generateKey('test') }));
  t.is(inactive.status, 401);
  t.deepEqual(inactive.body, unknown.body);
});

test('bad parameters get 400 or 404 also when the limit is reached; the limit is checked last', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 1, NOW);
  const call = anApi({ keys });
  const status = async (changes: Record<string, string>) =>
    (await call(scoreUrl({ ...changes, api_key: apiKey }))).status;
  t.is(await status({ date: 'never' }), 400);
  t.is(await status({}), 200);
  t.is(await status({ date: 'never' }), 400);
  t.is(await status({ origin: 'ZZZ' }), 404);
  t.is(await status({}), 429);
  t.deepEqual(await countsOf(redis, hashKey(apiKey), MONTH), { month: 1, total: 1 });
});

test('a call over the limit gets 429 with the time to wait in three forms', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 1, NOW);
  const call = anApi({ keys, now: () => new Date('2026-03-31T23:59:50.500Z') });
  const last = await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }));
  t.is(last.status, 200);
  const { status, headers, body } = await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }));
  t.is(status, 429);
  t.deepEqual(body, {
    error: 'rate_limit_exceeded',
    message: 'The monthly limit of 1 calls is reached; contact the provider to upgrade.',
  });
  t.like(headers, {
    'retry-after': '10',
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.parse('2026-04-01T00:00:00Z') / 1000),
    'ratelimit-policy': '"monthly";q=1;w=2678400',
    ratelimit: '"monthly";r=0;t=10',
  });
});

test('a key over its limit works again from the first instant of the next UTC month', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 1, NOW);
  let now = new Date('2026-03-31T23:59:59.999Z');
  const call = anApi({ keys, now: () => now });
  t.is((await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }))).status, 200);
  t.is((await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }))).status, 429);
  now = new Date('2026-04-01T00:00:00.000Z');
  const { status, headers } = await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }));
  t.is(status, 200);
  t.is(headers['ratelimit'], `"monthly";r=0;t=${30 * 86_400}`);
});

test('score and airlines count one call each; health, refusals and failures are not counted', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 100, NOW);
  const call = anApi({ keys });
  const failing = anApi({
    keys,
    assess: () => {
      throw new Error('broken');
    },
  });
  const statuses = [
    await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' })),
    await call(`/api/airlines?origin=JFK&dest=LAX&api_key=${apiKey}`),
    await call('/api/health'),
    await call(`/api/keys/validate?api_key=${apiKey}`),
    await call(`/api/keys/usage?api_key=${apiKey}`),
    await call(`/api/nothing?api_key=${apiKey}`),
    await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }), { method: 'POST' }),
    await call(`/api/keys/create?name=A&email=a@b.example&api_key=${apiKey}`),
    await failing(scoreUrl({ api_key: apiKey, date: '2026-04-20' })),
  ].map(({ status }) => status);
  t.deepEqual(statuses, [200, 200, 200, 200, 200, 404, 405, 403, 500]);
  t.deepEqual(await countsOf(redis, hashKey(apiKey), MONTH), { month: 2, total: 2 });
});

test('exactly as many concurrent calls as the limit are answered', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 25, NOW);
  const call = anApi({ keys });
  const answers = await Promise.all(
    Array.from({ length: 120 }, () => call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }))),
  );
  const good = answers.filter(({ status }) => status === 200);
  t.is(good.length, 25);
  t.is(answers.filter(({ status }) => status === 429).length, 95);
  const left = good.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  t.deepEqual(
    left.toSorted((a, b) => b - a),
    Array.from({ length: 25 }, (_, call) => 24 - call),
  );
});

test('a request needs one round trip to Redis', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 100, NOW);
  const call = anApi({ keys });
  await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }));
  let sent = 0;
  const sendCommand = redis.sendCommand.bind(redis);
  redis.sendCommand = (...command) => {
    sent += 1;
    return sendCommand(...command);
  };
  await call(scoreUrl({ api_key: apiKey, date: '2026-04-20' }));
  t.is(sent, 1);
});
