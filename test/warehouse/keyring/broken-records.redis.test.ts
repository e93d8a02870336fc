import test, { type ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { mergeKeys, readKeys, restoreKeys } from '../../../warehouse/keyring/archived-keys.ts';
import { KeyRecordError } from '../../../warehouse/keyring/errors.ts';
import { hashKey, prefixOf } from '../../../warehouse/keyring/format.ts';
import { redisKeys } from '../../../warehouse/keyring/layout.ts';
import { createKeyOffice } from '../../../warehouse/keyring/office.ts';
import { rollOverUsage } from '../../../warehouse/keyring/rollover.ts';
import { anApi, scoreUrl } from '../../api/helpers/app.ts';
import { aKey, aKeystore, countsOf } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const AT = new Date('2026-03-10T14:00:00Z');
const APRIL = new Date('2026-04-01T00:05:00Z');

type Places = { account: string; usage: string };

/** Ways to spoil what Redis holds of a key, and what is named then. */
const SPOILT: [how: string, named: string, spoil: (redis: Redis, places: Places) => unknown][] = [
  ['a limit that is no number', 'monthly_limit', spoilField('monthly_limit', 'many')],
  ['a limit as Lua alone reads it', 'monthly_limit', spoilField('monthly_limit', '0x10')],
  [
    'an end that is no moment',
    'until',
    (redis, { account }) => redis.hset(account, { active: 2, until: 'soon' }),
  ],
  [
    'an account that is none',
    'of',
    (redis, { account }) => redis.hset(account, { active: 2, of: '%1' }),
  ],
  ['a count of all time with a fraction', 'total_requests', spoilField('total_requests', '1.5')],
  ['a count with a fraction', 'usage', (redis, { usage }) => redis.set(usage, '1.5')],
  ['a count beyond all counting', 'usage', (redis, { usage }) => redis.set(usage, '9'.repeat(18))],
  [
    'a count that is a list',
    'WRONGTYPE',
    async (redis, { usage }) => {
      await redis.del(usage);
      await redis.lpush(usage, 'x');
    },
  ],
  [
    'a record that is a text',
    'WRONGTYPE',
    async (redis, { account }) => {
      await redis.del(account);
      await redis.set(account, 'x');
    },
  ],
];

function spoilField(field: string, text: string) {
  return (redis: Redis, { account }: Places) => redis.hset(account, field, text);
}

/** Three keys in the order they are asked for, of which the middle one is spoilt. */
async function threeKeys(t: ExecutionContext, spoil: (redis: Redis, places: Places) => unknown) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url);
  const made = [await aKey(keys, 10, AT), await aKey(keys, 10, AT), await aKey(keys, 10, AT)];
  const [before, spoilt, after] = made.map(({ apiKey }) => apiKey) as [string, string, string];
  for (const apiKey of [before, spoilt, after]) await keys.admit(apiKey, 2, AT);
  const archived = (await readKeys(redis, AT)).keys;
  const hash = hashKey(spoilt);
  await spoil(redis, { account: redisKeys.key(hash), usage: redisKeys.usage(hash, '2026-03') });
  return { keys, redis, before, spoilt, after, hash, archived };
}

for (const [how, named, spoil] of SPOILT) {
  test(`${how} fails the calls of its own key, and those beside it count once`, async (t) => {
    const { keys, redis, before, spoilt, after } = await threeKeys(t, spoil);
    const [first, broken, last] = await Promise.allSettled(
      [before, spoilt, after].map((apiKey) => keys.admit(apiKey, 1, AT)),
    );
    t.true(broken?.status === 'rejected' && broken.reason instanceof KeyRecordError);
    const why = broken?.status === 'rejected' ? String(broken.reason) : '';
    t.true(why.includes(prefixOf(spoilt)) && why.endsWith(`: ${named}`), why);
    t.false(why.includes(spoilt));
    const admitted = { status: 'fulfilled', value: { verdict: 'admitted', monthCount: 3 } };
    t.like([first, last], [admitted, admitted]);
    for (const apiKey of [before, after]) {
      t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 3, total: 3 });
    }
    await keys.refund(spoilt, 1, AT);
  });

  test(`${how} keeps no other key from rollover, archive, list and restore`, async (t) => {
    const { redis, before, spoilt, after, hash, archived } = await threeKeys(t, spoil);
    const { rows, broken } = await rollOverUsage(redis, APRIL);
    t.is(rows, 2);
    t.is(broken.length, 1);
    const read = await readKeys(redis, AT);
    t.deepEqual([...read.broken.keys()], [hash]);
    t.deepEqual(
      read.keys.map((key) => key.hash).toSorted(),
      [before, after].map(hashKey).toSorted(),
    );
    t.is(mergeKeys(archived, read.keys).length, 3, 'what was archived of it stays');
    const listed = await createKeyOffice(redis).list(AT);
    t.deepEqual(listed.map(({ state }) => state).toSorted(), ['active', 'active', 'broken']);
    for (const { problem = '' } of listed) t.false(problem.includes(spoilt));
    const { added, changed, same, broken: left } = await restoreKeys(redis, archived);
    t.is(added + changed + same + left.length, 3);
    t.is(left.length > 0, named === 'WRONGTYPE');
  });
}

test('a caller with such a key gets a 500, which the log explains by its prefix alone', async (t) => {
  const { keys, spoilt, after } = await threeKeys(t, spoilField('monthly_limit', 'many'));
  const logged: unknown[] = [];
  const log = { info: () => undefined, error: (facts: unknown) => void logged.push(facts) };
  const call = anApi({ keys, log: log as never, now: () => AT });
  const [failed, good] = await Promise.all(
    [spoilt, after].map((apiKey) => call(scoreUrl({ api_key: apiKey }))),
  );
  t.like(failed, { status: 500, body: { error: 'internal_error' } });
  t.is(good?.status, 200);
  const text = JSON.stringify(logged);
  // The log takes what comes behind a prefix for the rest of a key.
  t.true(text.includes(`the record of key ${prefixOf(spoilt)}… makes no sense: monthly_limit`));
  t.false(text.includes(spoilt) || text.includes(hashKey(spoilt)));
});

test('a count that makes no sense is brought back from the archive, and the key works again', async (t) => {
  const { keys, redis, spoilt, archived } = await threeKeys(t, async (one, { account, usage }) => {
    await one.set(usage, '1.5');
    await one.hset(account, 'total_requests', 'many');
  });
  t.like(await restoreKeys(redis, archived), { changed: 1, same: 2, broken: [] });
  t.like(await keys.admit(spoilt, 1, AT), { verdict: 'admitted', monthCount: 3 });
});

test('an archive of before with counts that are none is restored without them', async (t) => {
  const { redis, archived, hash } = await threeKeys(t, () => undefined);
  const bad = archived.map((key) =>
    key.hash === hash ? { ...key, totalRequests: NaN, usage: { '2026-03': 1.5 } } : key,
  );
  t.deepEqual(await restoreKeys(redis, bad), { added: 0, changed: 0, same: 3, broken: [] });
});
