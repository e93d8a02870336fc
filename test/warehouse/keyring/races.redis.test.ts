import test, { type ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { hashKey } from '../../../warehouse/keyring/format.ts';
import { createKeyOffice } from '../../../warehouse/keyring/office.ts';
import { aKey, aKeystore } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const server = await borrowRedis((stop) => test.after.always(stop));
const AT = new Date('2026-03-10T14:00:00Z');
const LATER = new Date('2026-03-17T14:00:00Z');
/** More commands than any change of a key sends. */
const STEPS = 8;

async function anOffice(t: ExecutionContext, { url } = server) {
  const { keys, redis } = await aKeystore(t, url);
  return { keys, redis, office: createKeyOffice(redis) };
}

/** Both pieces of work, so that in one of the rounds each command of one stands between any two of the other. */
async function interleaved(
  redis: Redis,
  round: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
) {
  const late = async (steps: number, work: () => Promise<unknown>) => {
    for (let step = 0; step < steps; step += 1) await redis.ping();
    await work();
  };
  await Promise.all([late(Math.max(0, round), one), late(Math.max(0, -round), other)]);
}

const ROUNDS = Array.from({ length: 2 * STEPS + 1 }, (_, at) => at - STEPS);

test('of rotations of one key at the same time one makes a key, and the others are told which', async (t) => {
  const own = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis, office } = await anOffice(t, own);
  const old = await aKey(keys, 10, AT);
  const before = (await redis.keys('hw:prefix:*')).length;
  const replies = await Promise.all([1, 2, 3, 4].map(() => office.rotate(old.prefix, LATER, AT)));
  const made = replies.flatMap((reply) => (reply && 'apiKey' in reply ? [reply] : []));
  t.is(made.length, 1);
  const [next] = made;
  t.deepEqual(
    replies.flatMap((reply) => (reply && 'refused' in reply ? [reply.refused] : [])),
    [1, 2, 3].map(() => `it was rotated already, to ${next?.prefix}`),
  );
  const account = (await office.list(AT)).filter((key) => key.account === old.prefix);
  t.deepEqual(
    account.map(({ prefix }) => prefix).toSorted(),
    [old.prefix, next?.prefix ?? ''].toSorted(),
  );
  t.is((await redis.keys('hw:prefix:*')).length, before + 1, 'no prefix is left behind');
  t.like(await keys.admit(next?.apiKey ?? '', 1, AT), { verdict: 'admitted' });
});

test('a key that is switched off while it gets an end or is rotated stays off', async (t) => {
  const { keys, redis, office } = await anOffice(t);
  for (const round of ROUNDS) {
    const changes = [
      (prefix: string) => office.setEnd(prefix, LATER, AT),
      (prefix: string) => office.rotate(prefix, LATER, AT),
    ];
    for (const change of changes) {
      const { apiKey, prefix } = await aKey(keys, 10, AT);
      const off = () => keys.setActive(prefix, false, AT);
      await interleaved(redis, round, off, () => change(prefix));
      t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'invalid' }, `round ${round}`);
    }
  }
});

test('a key that is switched on while it gets an end has both', async (t) => {
  const { keys, redis, office } = await anOffice(t);
  for (const round of ROUNDS) {
    const { apiKey, prefix } = await aKey(keys, 10, AT);
    await keys.setActive(prefix, false, AT);
    const on = () => keys.setActive(prefix, true, AT);
    await interleaved(redis, round, on, () => office.setEnd(prefix, LATER, AT));
    t.like(await redis.hgetall(`hw:key:{${hashKey(apiKey)}}`), { active: '2' }, `round ${round}`);
    t.like(await keys.admit(apiKey, 1, AT), { verdict: 'admitted' });
    t.deepEqual(await keys.admit(apiKey, 1, LATER), { verdict: 'invalid' });
  }
});

test('a limit that is set while a key is rotated or switched counts', async (t) => {
  const { keys, redis, office } = await anOffice(t);
  for (const round of ROUNDS) {
    const { apiKey, prefix } = await aKey(keys, 10, AT);
    const limit = () => office.setLimit(prefix, 77, AT);
    await interleaved(redis, round, limit, () => office.rotate(prefix, LATER, AT));
    await interleaved(redis, round, limit, () => keys.setActive(prefix, true, AT));
    t.like(await keys.admit(apiKey, 1, AT), { monthlyLimit: 77 });
  }
});
