import test from 'ava';
import { KeyLimitError } from '../../../warehouse/keyring/errors.ts';
import { hashKey, MONTHLY_LIMIT_MAX, UNLIMITED } from '../../../warehouse/keyring/format.ts';
import type { IssuedKey } from '../../../warehouse/keyring/keystore.ts';
import { createKeyAdmin } from '../../../warehouse/keyring/key-admin.ts';
import { mergeKeys, readKeys, restoreKeys } from '../../../warehouse/keyring/archived-keys.ts';
import { rollOverUsage } from '../../../warehouse/keyring/rollover.ts';
import { aKey, aKeystore, countsOf } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const server = await borrowRedis((stop) => test.after.always(stop));
const AT = new Date('2026-03-10T14:00:00Z');
const LATER = new Date('2026-03-17T14:00:00Z');
const before = (date: Date) => new Date(date.getTime() - 1);

/** A key with this limit, rotated with a grace period until LATER. */
async function aRotatedKey(t: Parameters<typeof aKeystore>[0], limit: number) {
  const { keys, redis } = await aKeystore(t, server.url);
  const keyAdmin = createKeyAdmin(redis);
  const old = await aKey(keys, limit, AT);
  const fresh = (await keyAdmin.rotate(old.prefix, LATER, AT)) as IssuedKey;
  return { keys, redis, keyAdmin, old, fresh };
}

test('a rotated key and its successor share limit and counts exactly', async (t) => {
  const { keys, redis, old, fresh } = await aRotatedKey(t, 137);
  const admissions = await Promise.all(
    Array.from({ length: 600 }, (_, call) =>
      keys.admit((call % 3 === 0 ? old : fresh).apiKey, 1, AT),
    ),
  );
  t.is(admissions.filter(({ verdict }) => verdict === 'admitted').length, 137);
  t.is(admissions.filter(({ verdict }) => verdict === 'over').length, 463);
  t.deepEqual(await countsOf(redis, hashKey(old.apiKey), '2026-03'), { month: 137, total: 137 });
  t.deepEqual(await countsOf(redis, hashKey(fresh.apiKey), '2026-03'), { month: 0, total: 0 });
  t.like(await keys.usage(fresh.apiKey, AT), { monthCount: 137, prefix: fresh.prefix });
});

test('the old key works until the end of the grace period, the new key works on', async (t) => {
  const { keys, old, fresh } = await aRotatedKey(t, 10);
  t.like(await keys.admit(old.apiKey, 1, before(LATER)), {
    verdict: 'admitted',
    prefix: old.prefix,
  });
  t.deepEqual(await keys.admit(old.apiKey, 1, LATER), { verdict: 'invalid' });
  const admitted = { verdict: 'admitted', monthCount: 2, prefix: fresh.prefix };
  t.like(await keys.admit(fresh.apiKey, 1, LATER), admitted);
});

test('a refund to a rotated key is credited to its account', async (t) => {
  const { keys, fresh, old } = await aRotatedKey(t, 10);
  await keys.admit(fresh.apiKey, 3, AT);
  await keys.refund(fresh.apiKey, 2, AT);
  t.like(await keys.admit(old.apiKey, 0, AT), { monthCount: 1 });
});

test('only the newest key of an account can be rotated, and no key that has ended', async (t) => {
  const { keys, keyAdmin, old, fresh } = await aRotatedKey(t, 10);
  t.deepEqual(await keyAdmin.rotate(old.prefix, LATER, AT), {
    refusal: `it was already rotated to ${fresh.prefix}`,
  });
  const third = (await keyAdmin.rotate(fresh.prefix, AT, AT)) as IssuedKey;
  t.deepEqual(await keys.admit(fresh.apiKey, 1, AT), { verdict: 'invalid' });
  t.like(await keys.admit(third.apiKey, 1, AT), { verdict: 'admitted', monthCount: 1 });
  await keyAdmin.setEnd(third.prefix, AT, AT);
  t.deepEqual(await keyAdmin.rotate(third.prefix, LATER, AT), { refusal: 'it has ended' });
});

test('deactivating any key of an account deactivates all its keys, and activating any key activates all', async (t) => {
  const { keys, old, fresh } = await aRotatedKey(t, 10);
  await keys.setActive(fresh.prefix, false, AT);
  for (const { apiKey } of [old, fresh]) {
    t.deepEqual(await keys.admit(apiKey, 1, AT), { verdict: 'invalid' });
  }
  await keys.setActive(old.prefix, true, AT);
  t.like(await keys.admit(fresh.apiKey, 1, AT), { verdict: 'admitted' });
  t.like(await keys.admit(old.apiKey, 1, AT), { verdict: 'admitted' });
  t.deepEqual(await keys.admit(old.apiKey, 1, LATER), { verdict: 'invalid' });
});

test('a key is refused from its end on, and its successor inherits the end', async (t) => {
  const { keys, redis } = await aKeystore(t, server.url);
  const keyAdmin = createKeyAdmin(redis);
  const { apiKey, prefix } = await aKey(keys, 5, AT);
  t.true(await keyAdmin.setEnd(prefix, LATER, AT));
  t.like(await keys.admit(apiKey, 1, before(LATER)), { verdict: 'admitted' });
  t.deepEqual(await keys.admit(apiKey, 1, LATER), { verdict: 'invalid' });
  const next = (await keyAdmin.rotate(prefix, new Date('2027-01-01'), AT)) as IssuedKey;
  t.deepEqual(await keys.admit(next.apiKey, 1, LATER), { verdict: 'invalid' });
  t.true(await keyAdmin.setEnd(next.prefix, undefined, AT));
  t.like(await keys.admit(next.apiKey, 1, LATER), { verdict: 'admitted' });
});

test('a new limit applies from the next call on, and an unlimited key is never over', async (t) => {
  const { keys, redis, keyAdmin, old, fresh } = await aRotatedKey(t, 1);
  await keys.admit(old.apiKey, 1, AT);
  t.like(await keys.admit(fresh.apiKey, 1, AT), { verdict: 'over' });
  t.true(await keyAdmin.setLimit(fresh.prefix, 2, AT));
  t.like(await keys.admit(old.apiKey, 1, AT), { verdict: 'admitted', monthlyLimit: 2 });
  await keyAdmin.setLimit(old.prefix, UNLIMITED, AT);
  await redis.set(`hw:usage:{${hashKey(old.apiKey)}}:2026-03`, UNLIMITED);
  t.like(await keys.admit(fresh.apiKey, 5, AT), { verdict: 'admitted', monthlyLimit: UNLIMITED });
  t.false(await keyAdmin.setLimit('hw_live_nobody', 5, AT));
});

test('a limit above the maximum is refused for new and existing keys', async (t) => {
  const { keys, keyAdmin, old } = await aRotatedKey(t, 10);
  for (const limit of [0, -1, 1.5, NaN, MONTHLY_LIMIT_MAX + 1, UNLIMITED - 1, UNLIMITED + 1]) {
    const error = { instanceOf: KeyLimitError };
    await t.throwsAsync(aKey(keys, limit, AT), error);
    await t.throwsAsync(keyAdmin.setLimit(old.prefix, limit, AT), error);
  }
  for (const limit of [1, MONTHLY_LIMIT_MAX, UNLIMITED]) {
    t.is((await aKey(keys, limit, AT)).monthlyLimit, limit);
    t.true(await keyAdmin.setLimit(old.prefix, limit, AT));
  }
  t.like(await keys.admit(old.apiKey, 0, AT), { monthlyLimit: UNLIMITED });
});

test('an account is archived, restored and rolled over as a whole', async (t) => {
  const { keys, redis, old, fresh } = await aRotatedKey(t, 10);
  await keys.admit(fresh.apiKey, 4, AT);
  const hashes = [hashKey(old.apiKey), hashKey(fresh.apiKey)];
  const archived = (await readKeys(redis, AT)).keys.filter(({ hash }) => hashes.includes(hash));
  await redis.del(...hashes.flatMap((hash) => [`hw:key:{${hash}}`, `hw:usage:{${hash}}:2026-03`]));
  t.deepEqual(await keys.admit(fresh.apiKey, 1, AT), { verdict: 'invalid' });
  t.like(await restoreKeys(redis, mergeKeys(archived, [])), { added: 2 });
  t.like(await keys.admit(fresh.apiKey, 1, AT), { verdict: 'admitted', monthCount: 5 });
  t.deepEqual(await keys.admit(old.apiKey, 1, LATER), { verdict: 'invalid' });
  await rollOverUsage(redis, new Date('2026-04-01T00:05:00Z'));
  t.is(await redis.exists(`hw:history:{${hashes[1]}}`), 0);
  const { history } = await keys.usage(fresh.apiKey, new Date('2026-04-01T00:06:00Z'));
  t.like(history[0], { month: '2026-03', requests: 5, monthlyLimit: 10 });
});
