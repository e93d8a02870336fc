import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { watchWrites } from '../../../jobs/queue/write-probe.ts';
import { startRedis } from '../../helpers/redis.ts';

const OPTIONS = { everyMs: 20, patienceMs: 100 };

async function aServer(t: ExecutionContext) {
  const server = await startRedis((stop) => t.teardown(stop));
  const redis = new Redis(server.url);
  redis.on('error', () => undefined);
  t.teardown(() => redis.disconnect());
  return { ...server, redis };
}

/** Collects the reasons that a watch reports; `first` resolves with the first reason. */
function watched(t: ExecutionContext, url: string) {
  const reasons: string[] = [];
  const { promise: first, resolve } = Promise.withResolvers<string>();
  t.teardown(watchWrites(url, (reason) => resolve(reason) ?? void reasons.push(reason), OPTIONS));
  return { reasons, first };
}

test('a Redis that refuses writes for a while is reported once', async (t) => {
  const { url, redis } = await aServer(t);
  const { reasons, first } = watched(t, url);
  await redis.config('SET', 'min-replicas-to-write', '1');
  t.regex(await first, /^NOREPLICAS /);
  await sleep(200);
  t.is(reasons.length, 1);
});

test('a replica refuses writes', async (t) => {
  const { url, redis } = await aServer(t);
  const { first } = watched(t, url);
  await redis.call('REPLICAOF', '127.0.0.1', '1');
  t.regex(await first, /^READONLY /);
});

test('a Redis that accepts writes, and one that is unreachable, are not reported', async (t) => {
  const { url, kill } = await aServer(t);
  const { reasons } = watched(t, url);
  await sleep(300);
  await kill();
  await sleep(300);
  t.deepEqual(reasons, []);
});
