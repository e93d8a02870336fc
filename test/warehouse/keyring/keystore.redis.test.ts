import test from 'ava';
import { generateKey, hashKey } from '../../../warehouse/keyring/format.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aKey, aKeystore, countsOf } from '../../api/helpers/keystore.ts';

const server = await borrowRedis((stop) => test.after.always(stop));
const AT = new Date('2026-03-10T14:00:00Z');

test('concurrent calls are admitted exactly up to the limit', async (t) => {
  // Four connections, like those of four API processes.
  const stores = await Promise.all([1, 2, 3, 4].map(() => aKeystore(t, server.url)));
  const [first] = stores;
  const { apiKey } = await aKey(first!.keys, 137, AT);
  const admissions = await Promise.all(
    Array.from({ length: 1000 }, (_, call) => stores[call % 4]!.keys.admit(apiKey, 1, AT)),
  );
  t.is(admissions.filter(({ verdict }) => verdict === 'admitted').length, 137);
  t.is(admissions.filter(({ verdict }) => verdict === 'over').length, 863);
  t.deepEqual(await countsOf(first!.redis, hashKey(apiKey), '2026-03'), { month: 137, total: 137 });
});

test('an admission has the limit, the count including the call, and the key prefix', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey, prefix } = await aKey(keys, 2, AT);
  const admission = { monthlyLimit: 2, prefix, isAdmin: false };
  t.deepEqual(await keys.admit(apiKey, 1, AT), {
    verdict: 'admitted',
    monthCount: 1,
    ...admission,
  });
  t.deepEqual(await keys.admit(apiKey, 1, AT), {
    verdict: 'admitted',
    monthCount: 2,
    ...admission,
  });
  t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'over', monthCount: 2, ...admission });
});

test('a call with a cost above 1 is admitted as a whole or refused', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 10, AT);
  t.like(await keys.admit(apiKey, 8, AT), { verdict: 'admitted', monthCount: 8 });
  t.like(await keys.admit(apiKey, 3, AT), { verdict: 'over', monthCount: 8 });
  t.like(await keys.admit(apiKey, 2, AT), { verdict: 'admitted', monthCount: 10 });
});

test('a call at cost 0 is never over and never counted', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 1, AT);
  await keys.admit(apiKey, 1, AT);
  t.like(await keys.admit(apiKey, 0, AT), { verdict: 'admitted', monthCount: 1 });
  t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 1, total: 1 });
});

test('a refund never lowers a count below zero', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 1, AT);
  await keys.admit(apiKey, 1, AT);
  await keys.refund(apiKey, 1, AT);
  await keys.refund(apiKey, 1, AT);
  t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 0, total: 0 });
  t.like(await keys.admit(apiKey, 1, AT), { verdict: 'admitted', monthCount: 1 });
});

test('the monthly count restarts with the UTC month, and the total continues', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 1, AT);
  const lastInstant = new Date('2026-03-31T23:59:59.999Z');
  const firstInstant = new Date('2026-04-01T00:00:00.000Z');
  t.like(await keys.admit(apiKey, 1, lastInstant), { verdict: 'admitted' });
  t.like(await keys.admit(apiKey, 1, lastInstant), { verdict: 'over' });
  t.like(await keys.admit(apiKey, 1, firstInstant), { verdict: 'admitted', monthCount: 1 });
  t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 1, total: 2 });
  t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-04'), { month: 1, total: 2 });
});

test('unknown, mistyped and inactive keys are invalid, and an inactive key can be reactivated', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey, prefix } = await aKey(keys, 5, AT);
  t.deepEqual(await keys.admit(generateKey('live'), 1, AT), { verdict: 'invalid' });
  t.deepEqual(await keys.admit(`${apiKey.slice(0, -1)}~`, 1, AT), { verdict: 'invalid' });
  t.true(await keys.setActive(prefix, false, AT));
  t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'invalid' });
  t.true(await keys.setActive(prefix, true, AT));
  t.like(await keys.admit(apiKey, 1, AT), { verdict: 'admitted', monthCount: 1 });
  t.false(await keys.setActive('hw_live_nobody', false, AT));
});

test('Redis has the fields of layout.ts, and never the key itself', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const made = await keys.create(
    { name: 'Ops', email: 'ops@example.com', monthlyLimit: 7 },
    'live',
    AT,
    true,
  );
  const hash = hashKey(made.apiKey);
  t.deepEqual(await redis.hgetall(`hw:key:{${hash}}`), {
    prefix: made.prefix,
    name: 'Ops',
    email: 'ops@example.com',
    monthly_limit: '7',
    active: '1',
    admin: '1',
    created_at: '2026-03-10T14:00:00.000Z',
    changed_at: '2026-03-10T14:00:00.000Z',
    total_requests: '0',
  });
  t.is(await redis.get(`hw:prefix:${made.prefix}`), hash);
  t.is(await redis.sismember('hw:keys', hash), 1);
  t.like(await keys.admit(made.apiKey, 0, AT), { isAdmin: true });
  for (const name of await redis.keys('*')) {
    t.false(name.includes(made.apiKey));
  }
});

test('after SCRIPT FLUSH the scripts are sent again without a failed call', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 5, AT);
  await keys.admit(apiKey, 1, AT);
  await redis.script('FLUSH');
  t.like(await keys.admit(apiKey, 1, AT), { verdict: 'admitted', monthCount: 2 });
});
