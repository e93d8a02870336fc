import test from 'ava';
import { generateKey, hashKey } from '../../../warehouse/keyring/format.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { aKey, aKeystore, countsOf } from '../../api/helpers/keystore.ts';

const server = await borrowRedis((stop) => test.after.always(stop));
const AT = new Date('2026-03-10T14:00:00Z');

test('of any number of concurrent calls exactly as many pass as the limit allows', async (t) => {
  // Four connections, as four API processes would have.
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

test('a call tells the limit, the count with itself in it, and whose key it was', async (t) => {
  const { keys } = await aKeystore(t, server.url);
  const { apiKey, prefix } = await aKey(keys, 2, AT);
  const known = { monthlyLimit: 2, prefix, isAdmin: false };
  t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'admitted', monthCount: 1, ...known });
  t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'admitted', monthCount: 2, ...known });
  t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'over', monthCount: 2, ...known });
});

test('a call that costs several is admitted whole or not at all', async (t) => {
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

test('a refund takes back one call, and never more than was counted', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 1, AT);
  await keys.admit(apiKey, 1, AT);
  await keys.refund(apiKey, 1, AT);
  await keys.refund(apiKey, 1, AT);
  t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 0, total: 0 });
  t.like(await keys.admit(apiKey, 1, AT), { verdict: 'admitted', monthCount: 1 });
});

test('the count starts again with the UTC month, and all-time calls go on', async (t) => {
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

test('unknown, mistyped and inactive keys are all invalid, and an inactive one can come back', async (t) => {
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

test('Redis holds what layout.ts says, and never the key itself', async (t) => {
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

test('a Redis that forgot the scripts is taught them again without a failed call', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 5, AT);
  await keys.admit(apiKey, 1, AT);
  await redis.script('FLUSH');
  t.like(await keys.admit(apiKey, 1, AT), { verdict: 'admitted', monthCount: 2 });
});
