import test, { type ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { mergeKeys, readKeys, restoreKeys } from '../../../warehouse/keyring/archived-keys.ts';
import { KeyRecordError } from '../../../warehouse/keyring/errors.ts';
import { hashKey, prefixOf } from '../../../warehouse/keyring/format.ts';
import { redisKeys } from '../../../warehouse/keyring/layout.ts';
import { createKeyAdmin } from '../../../warehouse/keyring/key-admin.ts';
import { rollOverUsage } from '../../../warehouse/keyring/rollover.ts';
import { anApi, scoreUrl } from '../../api/helpers/app.ts';
import { aKey, aKeystore, countsOf } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const AT = new Date('2026-03-10T14:00:00Z');
const APRIL = new Date('2026-04-01T00:05:00Z');

type Places = { account: string; usage: string };

/** Ways to break the record of a key, and the field that the error names. */
const BREAKAGES: [
  how: string,
  field: string,
  breakRecord: (redis: Redis, places: Places) => unknown,
][] = [
  ['a limit that is not a number', 'monthly_limit', breakField('monthly_limit', 'many')],
  ['a limit that only Lua can parse', 'monthly_limit', breakField('monthly_limit', '0x10')],
  [
    'an invalid end',
    'until',
    (redis, { account }) => redis.hset(account, { active: 2, until: 'soon' }),
  ],
  [
    'an invalid account',
    'of',
    (redis, { account }) => redis.hset(account, { active: 2, of: '%1' }),
  ],
  ['a total count with a fraction', 'total_requests', breakField('total_requests', '1.5')],
  ['a count with a fraction', 'usage', (redis, { usage }) => redis.set(usage, '1.5')],
  ['a count beyond safe integers', 'usage', (redis, { usage }) => redis.set(usage, '9'.repeat(18))],
  [
    'a count that is a list',
    'WRONGTYPE',
    async (redis, { usage }) => {
      await redis.del(usage);
      await redis.lpush(usage, 'x');
    },
  ],
  [
    'a record that is a string',
    'WRONGTYPE',
    async (redis, { account }) => {
      await redis.del(account);
      await redis.set(account, 'x');
    },
  ],
];

function breakField(field: string, text: string) {
  return (redis: Redis, { account }: Places) => redis.hset(account, field, text);
}

/** Three keys, in the order of their calls; the record of the middle one is broken. */
async function threeKeys(
  t: ExecutionContext,
  breakRecord: (redis: Redis, places: Places) => unknown,
) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url);
  const made = [await aKey(keys, 10, AT), await aKey(keys, 10, AT), await aKey(keys, 10, AT)];
  const [before, brokenKey, after] = made.map(({ apiKey }) => apiKey) as [string, string, string];
  for (const apiKey of [before, brokenKey, after]) await keys.admit(apiKey, 2, AT);
  const archived = (await readKeys(redis, AT)).keys;
  const hash = hashKey(brokenKey);
  await breakRecord(redis, {
    account: redisKeys.key(hash),
    usage: redisKeys.usage(hash, '2026-03'),
  });
  return { keys, redis, before, brokenKey, after, hash, archived };
}

for (const [how, field, breakRecord] of BREAKAGES) {
  test(`${how} fails only the calls of its own key; other calls are counted once`, async (t) => {
    const { keys, redis, before, brokenKey, after } = await threeKeys(t, breakRecord);
    const [first, broken, last] = await Promise.allSettled(
      [before, brokenKey, after].map((apiKey) => keys.admit(apiKey, 1, AT)),
    );
    t.true(broken?.status === 'rejected' && broken.reason instanceof KeyRecordError);
    const why = broken?.status === 'rejected' ? String(broken.reason) : '';
    t.true(why.includes(prefixOf(brokenKey)) && why.endsWith(`: ${field}`), why);
    t.false(why.includes(brokenKey));
    const admitted = { status: 'fulfilled', value: { verdict: 'admitted', monthCount: 3 } };
    t.like([first, last], [admitted, admitted]);
    for (const apiKey of [before, after]) {
      t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 3, total: 3 });
    }
    await keys.refund(brokenKey, 1, AT);
  });

  test(`${how} does not affect rollover, archive, list and restore of other keys`, async (t) => {
    const { redis, before, brokenKey, after, hash, archived } = await threeKeys(t, breakRecord);
    const { rows, broken } = await rollOverUsage(redis, APRIL);
    t.is(rows, 2);
    t.is(broken.length, 1);
    const read = await readKeys(redis, AT);
    t.deepEqual([...read.broken.keys()], [hash]);
    t.deepEqual(
      read.keys.map((key) => key.hash).toSorted(),
      [before, after].map(hashKey).toSorted(),
    );
    t.is(mergeKeys(archived, read.keys).length, 3, 'the archived record stays');
    const listed = await createKeyAdmin(redis).list(AT);
    t.deepEqual(listed.map(({ state }) => state).toSorted(), ['active', 'active', 'broken']);
    for (const { problem = '' } of listed) t.false(problem.includes(brokenKey));
    const { added, changed, same, broken: failures } = await restoreKeys(redis, archived);
    t.is(added + changed + same + failures.length, 3);
    t.is(failures.length > 0, field === 'WRONGTYPE');
  });
}

test('calls and the list ignore a stray end or account of an active key', async (t) => {
  const { keys, redis, brokenKey, archived } = await threeKeys(t, (client, { account }) =>
    client.hset(account, { until: 'soon', of: '%1' }),
  );
  t.like(await keys.admit(brokenKey, 1, AT), { verdict: 'admitted' });
  const listed = await createKeyAdmin(redis).list(AT);
  t.deepEqual(
    listed.map(({ state, until }) => [state, until]),
    archived.map(() => ['active', undefined]),
  );
  t.is((await readKeys(redis, AT)).broken.size, 0);
});

test('a caller with a broken key gets a 500, and the log names only the prefix', async (t) => {
  const { keys, brokenKey, after } = await threeKeys(t, breakField('monthly_limit', 'many'));
  const logged: unknown[] = [];
  const log = { info: () => undefined, error: (facts: unknown) => void logged.push(facts) };
  const call = anApi({ keys, log: log as never, now: () => AT });
  const [failed, good] = await Promise.all(
    [brokenKey, after].map((apiKey) => call(scoreUrl({ api_key: apiKey }))),
  );
  t.like(failed, { status: 500, body: { error: 'internal_error' } });
  t.is(good?.status, 200);
  const text = JSON.stringify(logged);
  // The log redacts the text after a prefix, as it could be the rest of a key.
  t.true(text.includes(`the record of key ${prefixOf(brokenKey)}… is broken: monthly_limit`));
  t.false(text.includes(brokenKey) || text.includes(hashKey(brokenKey)));
});

test('a broken count is restored from the archive, and the key works again', async (t) => {
  const { keys, redis, brokenKey, archived } = await threeKeys(
    t,
    async (one, { account, usage }) => {
      await one.set(usage, '1.5');
      await one.hset(account, 'total_requests', 'many');
    },
  );
  t.like(await restoreKeys(redis, archived), { changed: 1, same: 2, broken: [] });
  t.like(await keys.admit(brokenKey, 1, AT), { verdict: 'admitted', monthCount: 3 });
});
