import test from 'ava';
import { readUse, recordActivity } from '../../../warehouse/keyring/activity.ts';
import { hashKey } from '../../../warehouse/keyring/format.ts';
import { createKeystore, type IssuedKey } from '../../../warehouse/keyring/keystore.ts';
import { createKeyAdmin } from '../../../warehouse/keyring/key-admin.ts';
import { aKey, aKeystore } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const server = await borrowRedis((stop) => test.after.always(stop));
const AT = new Date('2026-03-31T23:59:59Z');
const NEXT = new Date('2026-04-01T00:00:01Z');

test('calls are counted by endpoint and month, minus refunds, and the last use is recorded', async (t) => {
  const { redis } = await aKeystore(t, server.url);
  const activity = recordActivity(redis, { everyMs: 60_000, closeMs: 60_000 });
  const keys = createKeystore(redis, { deadlineMs: 60_000, activity });
  const { apiKey } = await aKey(keys, 100, AT);
  await keys.admit(apiKey, 1, AT, '/api/score');
  await keys.admit(apiKey, 7, AT, '/api/score/batch');
  await keys.admit(apiKey, 1, AT, '/api/news');
  await keys.refund(apiKey, 1, AT, '/api/news');
  await keys.admit(apiKey, 2, NEXT, '/api/score');
  await keys.admit(apiKey, 0, NEXT);
  await keys.admit(apiKey, 1000, NEXT, '/api/score');
  await activity.close();
  t.deepEqual(await readUse(redis, hashKey(apiKey), ['2026-03', '2026-04']), {
    seenAt: NEXT.toISOString(),
    calls: {
      '2026-03': { '/api/score': 1, '/api/score/batch': 7, '/api/news': 0 },
      '2026-04': { '/api/score': 2 },
    },
  });
});

test('keys of one account are listed separately with shared limit and counts; their use is summed', async (t) => {
  const { redis } = await aKeystore(t, server.url);
  const activity = recordActivity(redis, { everyMs: 60_000, closeMs: 60_000 });
  const keys = createKeystore(redis, { deadlineMs: 60_000, activity });
  const keyAdmin = createKeyAdmin(redis);
  const owner = { name: 'Acme Travel', email: 'a@acme.example', monthlyLimit: 9 };
  const old = await keys.create(owner, 'live', AT);
  const fresh = (await keyAdmin.rotate(old.prefix, new Date('2026-04-07'), AT)) as IssuedKey;
  await keys.admit(old.apiKey, 1, NEXT, '/api/score');
  await keys.admit(fresh.apiKey, 2, NEXT, '/api/score');
  await activity.close();
  const listed = (await keyAdmin.list(NEXT)).filter(({ name }) => name === 'Acme Travel');
  const both = { monthlyLimit: 9, monthCount: 3, totalRequests: 3, account: old.prefix };
  t.is(listed.length, 2);
  t.like(
    listed.find(({ prefix }) => prefix === old.prefix),
    { ...both, state: 'ending' },
  );
  t.like(
    listed.find(({ prefix }) => prefix === fresh.prefix),
    { ...both, state: 'active' },
  );
  for (const { apiKey } of [old, fresh]) t.false(JSON.stringify(listed).includes(apiKey));
  t.false(JSON.stringify(listed).includes('acme.example'));
  const use = await keyAdmin.use(fresh.prefix, ['2026-04']);
  t.deepEqual(use?.calls, { '2026-04': { '/api/score': 3 } });
});
