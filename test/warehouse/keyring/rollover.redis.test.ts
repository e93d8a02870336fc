import test, { type ExecutionContext } from 'ava';
import { hashKey } from '../../../warehouse/keyring/format.ts';
import { createKeystore } from '../../../warehouse/keyring/keystore.ts';
import { readHistory } from '../../../warehouse/keyring/history.ts';
import { rollOverUsage } from '../../../warehouse/keyring/rollover.ts';
import { aKey, aKeystore } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const at = (time: string) => new Date(time);

/** A key created in the middle of January with a limit of 40, and calls by month. */
async function aKeyWithCalls(t: ExecutionContext, calls: Record<string, number>) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url);
  const { apiKey } = await aKey(keys, 40, at('2026-01-15T09:30:00Z'));
  for (const [month, count] of Object.entries(calls)) {
    await keys.admit(apiKey, count, at(`${month}-20T12:00:00Z`));
  }
  const hash = hashKey(apiKey);
  const history = async () => readHistory(await redis.hgetall(`hw:history:{${hash}}`));
  return { keys, redis, apiKey, hash, history };
}

test('the rollover writes finished months, including the partial first one, but not the current month', async (t) => {
  const { redis, history } = await aKeyWithCalls(t, { '2026-01': 7, '2026-02': 3 });
  const now = at('2026-02-01T00:05:00Z');
  t.deepEqual(await rollOverUsage(redis, now), { keys: 1, rows: 1, broken: [] });
  t.deepEqual(await history(), [
    { month: '2026-01', requests: 7, monthlyLimit: 40, loggedAt: now.toISOString() },
  ]);
});

test('a rollover also writes the rows of missed rollovers; months without calls get a zero', async (t) => {
  const { redis, history } = await aKeyWithCalls(t, { '2026-01': 7, '2026-03': 5 });
  t.like(await rollOverUsage(redis, at('2026-05-01T00:05:00Z')), { rows: 4 });
  t.deepEqual(
    (await history()).map(({ month, requests }) => [month, requests]),
    [
      ['2026-04', 0],
      ['2026-03', 5],
      ['2026-02', 0],
      ['2026-01', 7],
    ],
  );
});

test('a row is written once: later, concurrent and changed rollovers leave it unchanged', async (t) => {
  const { redis, hash, history } = await aKeyWithCalls(t, { '2026-01': 7 });
  const both = [at('2026-02-01T00:05:00Z'), at('2026-02-01T00:05:01Z')];
  const [one, other] = await Promise.all(both.map((now) => rollOverUsage(redis, now)));
  t.is((one?.rows ?? 0) + (other?.rows ?? 0), 1);
  const before = await history();
  await redis.hset(`hw:key:{${hash}}`, 'monthly_limit', 99);
  await redis.set(`hw:usage:{${hash}}:2026-01`, 12);
  t.like(await rollOverUsage(redis, at('2026-02-02T00:00:00Z')), { rows: 0 });
  t.deepEqual(await history(), before);
  await rollOverUsage(redis, at('2026-03-01T00:05:00Z'));
  t.deepEqual(
    (await history()).map(({ month, monthlyLimit }) => [month, monthlyLimit]),
    [
      ['2026-02', 99],
      ['2026-01', 40],
    ],
  );
});

test('a key of this month has no row, and an inactive key has its rows', async (t) => {
  const { keys, redis, apiKey, history } = await aKeyWithCalls(t, {});
  await aKey(keys, 5, at('2026-02-01T00:00:01Z'));
  await keys.setActive(apiKey.slice(0, 14), false, at('2026-01-16T00:00:00Z'));
  t.deepEqual(await rollOverUsage(redis, at('2026-02-01T00:05:00Z')), {
    keys: 2,
    rows: 1,
    broken: [],
  });
  t.is((await history()).length, 1);
});

test('all keys get their row, even more keys than fit into one batch', async (t) => {
  const { redis } = await aKeyWithCalls(t, {});
  const made = at('2026-01-20T00:00:00Z');
  // 700 concurrent calls on a busy machine exceed the usual deadline.
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  await Promise.all(Array.from({ length: 700 }, () => aKey(keys, 5, made)));
  t.deepEqual(await rollOverUsage(redis, at('2026-02-01T00:05:00Z')), {
    keys: 701,
    rows: 701,
    broken: [],
  });
});
