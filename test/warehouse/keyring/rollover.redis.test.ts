import test, { type ExecutionContext } from 'ava';
import { hashKey } from '../../../warehouse/keyring/format.ts';
import { createKeystore } from '../../../warehouse/keyring/keystore.ts';
import { readHistory } from '../../../warehouse/keyring/history.ts';
import { rollOverUsage } from '../../../warehouse/keyring/rollover.ts';
import { aKey, aKeystore } from '../../api/helpers/keystore.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const at = (time: string) => new Date(time);

/** A key made in the middle of January, with a limit of 40 and those calls by month. */
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

test('the rollover writes the month that ended, that of the creation whole, and not the one under way', async (t) => {
  const { redis, history } = await aKeyWithCalls(t, { '2026-01': 7, '2026-02': 3 });
  const now = at('2026-02-01T00:05:00Z');
  t.deepEqual(await rollOverUsage(redis, now), { keys: 1, rows: 1, broken: [] });
  t.deepEqual(await history(), [
    { month: '2026-01', requests: 7, monthlyLimit: 40, loggedAt: now.toISOString() },
  ]);
});

test('months whose rollover was missed are made up, those without calls with a zero', async (t) => {
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

test('a row is written once: run again, twice at once, or with another limit, it stays as it was', async (t) => {
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

test('a key of this month has no row, an inactive one has its rows', async (t) => {
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

test('more keys than are looked at together all get their row', async (t) => {
  const { redis } = await aKeyWithCalls(t, {});
  const made = at('2026-01-20T00:00:00Z');
  // 700 at once on a busy machine take longer than a caller would wait.
  const keys = createKeystore(redis, { deadlineMs: 60_000 });
  await Promise.all(Array.from({ length: 700 }, () => aKey(keys, 5, made)));
  t.deepEqual(await rollOverUsage(redis, at('2026-02-01T00:05:00Z')), {
    keys: 701,
    rows: 701,
    broken: [],
  });
});
