import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { hashKey } from '../../../warehouse/keyring/format.ts';
import { startRedis } from '../../helpers/redis.ts';
import { anApi, NOW, scoreUrl } from '../../api/helpers/app.ts';
import type { Answer } from '../../api/helpers/documented.ts';
import { aKey, aKeystore, countsOf } from '../../api/helpers/keystore.ts';

async function measure<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}

/** Tolerance for a machine that stalls. A call without a deadline would wait forever. */
const TOLERANCE_MS = 30_000;

async function until(condition: () => Promise<boolean>, timeoutMs: number): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > timeoutMs) {
      throw new Error(`not within ${timeoutMs} ms`);
    }
    await sleep(20);
  }
  return performance.now() - startedAt;
}

const UNAVAILABLE = {
  error: 'service_unavailable',
  message: 'The service cannot check API keys at the moment. Try again in a few seconds.',
};

function assertUnavailable(
  t: { deepEqual: (a: unknown, b: unknown) => unknown },
  { status, body }: Answer,
) {
  t.deepEqual({ status, body }, { status: 503, body: UNAVAILABLE });
}

test('while Redis is down, keyed calls get 503 within 500 ms; they work within 3 s of its return', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url, 'default');
  const { apiKey } = await aKey(keys, 100, NOW);
  const call = anApi({ keys });
  const url = scoreUrl({ api_key: apiKey });
  await until(async () => (await call(url)).status === 200, TOLERANCE_MS);

  await server.kill();
  for (const _ of [1, 2, 3]) {
    const { value, ms } = await measure(() => call(url));
    assertUnavailable(t, value);
    t.true(ms < 500 + TOLERANCE_MS, `${ms} ms`);
  }
  // Long enough for the back-off between attempts to grow.
  await sleep(2_000);
  await server.restart();
  const ms = await until(async () => (await call(url)).status === 200, 3_000 + TOLERANCE_MS);
  t.true(ms < 3_000 + TOLERANCE_MS, `${ms} ms`);
  const counts = () => countsOf(redis, hashKey(apiKey), '2026-03');
  // A call that was refused late is taken off the count a moment later.
  await until(async () => (await counts()).total === 2, TOLERANCE_MS);
  t.deepEqual(await counts(), { month: 2, total: 2 });
});

test('while Redis is frozen, keyed calls get 503 within 500 ms and are not counted', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url, 'default');
  const { apiKey } = await aKey(keys, 100, NOW);
  const call = anApi({ keys });
  const url = scoreUrl({ api_key: apiKey });

  server.pause();
  const answers = await Promise.all([1, 2, 3].map(() => measure(() => call(url))));
  const later = await measure(() => call(url));
  for (const { value, ms } of [...answers, later]) {
    assertUnavailable(t, value);
    t.true(ms < 500 + TOLERANCE_MS, `${ms} ms`);
  }
  t.true(later.ms < 100 + TOLERANCE_MS, 'calls fail at once while Redis is stuck');

  server.resume();
  await until(async () => (await call(url)).status === 200, 3_000 + TOLERANCE_MS);
  await until(async () => (await countsOf(redis, hashKey(apiKey), '2026-03')).month === 1, 60_000);
  t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 1, total: 1 });
});

test('after a long freeze of Redis a new connection is opened, and calls work within 3 s of its return', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys } = await aKeystore(t, server.url, 'default');
  const { apiKey } = await aKey(keys, 100, NOW);
  const call = anApi({ keys });
  const url = scoreUrl({ api_key: apiKey });

  server.pause();
  assertUnavailable(t, await call(url));
  await sleep(4_500);
  assertUnavailable(t, await call(url));
  server.resume();
  const ms = await until(async () => (await call(url)).status === 200, 3_000 + TOLERANCE_MS);
  t.true(ms < 3_000 + TOLERANCE_MS, `${ms} ms`);
});

test('without Redis, health is 503 within 500 ms, and a mistyped key is still a 401', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys } = await aKeystore(t, server.url, 'default');
  const call = anApi({ keys });
  await server.kill();
  const { value, ms } = await measure(() => call('/api/health'));
  t.is(value.status, 503);
  t.like(value.body, { status: 'error', components: { database: 'unavailable' } });
  t.true(ms < 500 + TOLERANCE_MS, `${ms} ms`);
  t.is((await call(scoreUrl({ api_key: 'hw_live_nonsense' }))).status, 401);
});
