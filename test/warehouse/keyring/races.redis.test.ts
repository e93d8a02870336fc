import test, { type ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { hashKey } from '../../../warehouse/keyring/format.ts';
import { createKeyAdmin } from '../../../warehouse/keyring/key-admin.ts';
import { aKey, aKeystore } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const server = await borrowRedis((stop) => test.after.always(stop));
const AT = new Date('2026-03-10T14:00:00Z');
const LATER = new Date('2026-03-17T14:00:00Z');
/** Larger than the number of commands in any change of a key. */
const STEPS = 8;

async function aKeyAdmin(t: ExecutionContext, { url } = server) {
  const { keys, redis } = await aKeystore(t, url);
  return { keys, redis, keyAdmin: createKeyAdmin(redis) };
}

/**
 * Runs both changes with a delay that depends on the round, so that over all rounds their commands interleave in
 * every order.
 */
async function interleave(
  redis: Redis,
  round: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
) {
  const delay = async (steps: number, work: () => Promise<unknown>) => {
    for (let step = 0; step < steps; step += 1) await redis.ping();
    await work();
  };
  await Promise.all([delay(Math.max(0, round), one), delay(Math.max(0, -round), other)]);
}

const ROUNDS = Array.from({ length: 2 * STEPS + 1 }, (_, at) => at - STEPS);

test('only one of several concurrent rotations creates a key, and the others name that key', async (t) => {
  const own = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis, keyAdmin } = await aKeyAdmin(t, own);
  const old = await aKey(keys, 10, AT);
  const before = (await redis.keys('hw:prefix:*')).length;
  const replies = await Promise.all([1, 2, 3, 4].map(() => keyAdmin.rotate(old.prefix, LATER, AT)));
  const made = replies.flatMap((reply) => (reply && 'apiKey' in reply ? [reply] : []));
  t.is(made.length, 1);
  const [next] = made;
  t.deepEqual(
    replies.flatMap((reply) => (reply && 'refusal' in reply ? [reply.refusal] : [])),
    [1, 2, 3].map(() => `it was already rotated to ${next?.prefix}`),
  );
  const account = (await keyAdmin.list(AT)).filter((key) => key.account === old.prefix);
  t.deepEqual(
    account.map(({ prefix }) => prefix).toSorted(),
    [old.prefix, next?.prefix ?? ''].toSorted(),
  );
  t.is((await redis.keys('hw:prefix:*')).length, before + 1, 'no prefix is left behind');
  t.like(await keys.admit(next?.apiKey ?? '', 1, AT), { verdict: 'admitted' });
});

test('a key that is deactivated while it gets an end or is rotated stays inactive', async (t) => {
  const { keys, redis, keyAdmin } = await aKeyAdmin(t);
  for (const round of ROUNDS) {
    const changes = [
      (prefix: string) => keyAdmin.setEnd(prefix, LATER, AT),
      (prefix: string) => keyAdmin.rotate(prefix, LATER, AT),
    ];
    for (const change of changes) {
      const { apiKey, prefix } = await aKey(keys, 10, AT);
      const off = () => keys.setActive(prefix, false, AT);
      await interleave(redis, round, off, () => change(prefix));
      t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'invalid' }, `round ${round}`);
    }
  }
});

test('a key that is activated while it gets an end is active until that end', async (t) => {
  const { keys, redis, keyAdmin } = await aKeyAdmin(t);
  for (const round of ROUNDS) {
    const { apiKey, prefix } = await aKey(keys, 10, AT);
    await keys.setActive(prefix, false, AT);
    const on = () => keys.setActive(prefix, true, AT);
    await interleave(redis, round, on, () => keyAdmin.setEnd(prefix, LATER, AT));
    t.like(await redis.hgetall(`hw:key:{${hashKey(apiKey)}}`), { active: '2' }, `round ${round}`);
    t.like(await keys.admit(apiKey, 1, AT), { verdict: 'admitted' });
    t.deepEqual(await keys.admit(apiKey, 1, LATER), { verdict: 'invalid' });
  }
});

test('a limit that is set while a key is rotated or activated applies', async (t) => {
  const { keys, redis, keyAdmin } = await aKeyAdmin(t);
  for (const round of ROUNDS) {
    const { apiKey, prefix } = await aKey(keys, 10, AT);
    const limit = () => keyAdmin.setLimit(prefix, 77, AT);
    await interleave(redis, round, limit, () => keyAdmin.rotate(prefix, LATER, AT));
    await interleave(redis, round, limit, () => keys.setActive(prefix, true, AT));
    t.like(await keys.admit(apiKey, 1, AT), { monthlyLimit: 77 });
  }
});
