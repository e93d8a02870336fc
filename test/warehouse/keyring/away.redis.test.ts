import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { hashKey } from '../../../warehouse/keyring/format.ts';
import { startRedis } from '../../helpers/redis.ts';
import { anApi, NOW, scoreUrl } from '../../api/helpers/app.ts';
import type { Answer } from '../../api/helpers/documented.ts';
import { aKey, aKeystore, countsOf } from '../../api/helpers/keystore.ts';

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}

/** By how much a busy machine may be late; who waits for Redis without a deadline waits for ever. */
const LATE_MS = 2_000;

async function until(isSo: () => Promise<boolean>, timeoutMs: number): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > timeoutMs) {
      throw new Error(`not within ${timeoutMs} ms`);
    }
    await sleep(20);
  }
  return performance.now() - startedAt;
}

const AWAY = {
  error: 'service_unavailable',
  message: 'The service cannot check keys at the moment; try again in a few seconds.',
};

function isAway(t: { deepEqual: (a: unknown, b: unknown) => unknown }, { status, body }: Answer) {
  t.deepEqual({ status, body }, { status: 503, body: AWAY });
}

test('while Redis is gone keyed calls get 503 within 500 ms, and work within 3 s of its return', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url, 'as promised');
  const { apiKey } = await aKey(keys, 100, NOW);
  const call = anApi({ keys });
  const url = scoreUrl({ api_key: apiKey });
  t.is((await call(url)).status, 200);

  await server.kill();
  for (const _ of [1, 2, 3]) {
    const { value, ms } = await timed(() => call(url));
    isAway(t, value);
    t.true(ms < 500 + LATE_MS, `${ms} ms`);
  }
  // Long enough away for the waits between attempts to have grown.
  await sleep(2_000);
  await server.restart();
  const ms = await until(async () => (await call(url)).status === 200, 3_000 + LATE_MS);
  t.true(ms < 3_000 + LATE_MS, `${ms} ms`);
  t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 2, total: 2 });
});

test('while Redis is frozen keyed calls get 503 within 500 ms, and those calls are not counted', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, server.url, 'as promised');
  const { apiKey } = await aKey(keys, 100, NOW);
  const call = anApi({ keys });
  const url = scoreUrl({ api_key: apiKey });

  server.pause();
  const answers = await Promise.all([1, 2, 3].map(() => timed(() => call(url))));
  const later = await timed(() => call(url));
  for (const { value, ms } of [...answers, later]) {
    isAway(t, value);
    t.true(ms < 500 + LATE_MS, `${ms} ms`);
  }
  t.true(later.ms < 100 + LATE_MS, 'a Redis known to be stuck is not waited for again');

  server.resume();
  await until(async () => (await call(url)).status === 200, 3_000 + LATE_MS);
  await until(async () => (await countsOf(redis, hashKey(apiKey), '2026-03')).month === 1, 60_000);
  t.deepEqual(await countsOf(redis, hashKey(apiKey), '2026-03'), { month: 1, total: 1 });
});

test('a Redis frozen for long is left for a new connection, and calls work within 3 s of its return', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys } = await aKeystore(t, server.url, 'as promised');
  const { apiKey } = await aKey(keys, 100, NOW);
  const call = anApi({ keys });
  const url = scoreUrl({ api_key: apiKey });

  server.pause();
  isAway(t, await call(url));
  await sleep(4_500);
  isAway(t, await call(url));
  server.resume();
  const ms = await until(async () => (await call(url)).status === 200, 3_000 + LATE_MS);
  t.true(ms < 3_000 + LATE_MS, `${ms} ms`);
});

test('without Redis the health is 503 within 500 ms, and a mistyped key is still a 401', async (t) => {
  const server = await startRedis((stop) => t.teardown(stop));
  const { keys } = await aKeystore(t, server.url, 'as promised');
  const call = anApi({ keys });
  await server.kill();
  const { value, ms } = await timed(() => call('/api/health'));
  t.is(value.status, 503);
  t.like(value.body, { status: 'error', components: { database: 'unavailable' } });
  t.true(ms < 500 + LATE_MS, `${ms} ms`);
  t.is((await call(scoreUrl({ api_key: 'hw_live_nonsense' }))).status, 401);
});
