import test from 'ava';
import { Redis } from 'ioredis';
import { accountOf, createCharges } from '../../../warehouse/keyring/charges.ts';
import { hashKey } from '../../../warehouse/keyring/format.ts';
import { createKeyAdmin } from '../../../warehouse/keyring/key-admin.ts';
import { createKeystore } from '../../../warehouse/keyring/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const NOW = new Date('2026-11-02T12:00:00Z');
const LATER = new Date('2026-11-02T13:00:00Z');

test('work is charged to a key, after its rotation to the new key, and never to an inactive key', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const keys = createKeystore(redis);
  const { charge, refund } = createCharges(redis, { endpoint: 'deliveries' });
  const key = { name: 'Acme', email: 'a@b.example', monthlyLimit: 2 };
  const { apiKey } = await keys.create(key, 'live', NOW);
  const hash = hashKey(apiKey);
  t.deepEqual(await charge(hash, 1, NOW), { verdict: 'admitted', keyHash: hash });
  const next = await createKeyAdmin(redis).rotate(apiKey.slice(0, 14), LATER, NOW);
  if (!next || !('apiKey' in next)) throw new Error('the key was not rotated');
  const nextHash = hashKey(next.apiKey);
  t.is(await accountOf(redis, nextHash), hash);
  t.deepEqual(await charge(hash, 1, LATER), { verdict: 'admitted', keyHash: nextHash });
  t.deepEqual(await charge(hash, 1, LATER), { verdict: 'over' });
  await refund(nextHash, 1, LATER);
  t.is((await keys.usage(next.apiKey, LATER)).monthCount, 1);
  await keys.setActive(next.apiKey.slice(0, 14), false, LATER);
  t.deepEqual(await charge(hash, 0, LATER), { verdict: 'invalid' });
});
