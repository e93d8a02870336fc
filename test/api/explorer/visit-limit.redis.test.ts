import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createVisitLimit } from '../../../api/explorer/visit-limit.ts';
import { connectRedis, waitUntilReady } from '../../../api/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const callTimes = <T>(count: number, make: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, make));

/**
 * Creates the limits of two processes on one Redis. `endWindows` ends the windows of all counters whose name contains
 * `part`.
 */
async function twoProcesses(t: ExecutionContext) {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const connections = [connectRedis(server.url), connectRedis(server.url)] as const;
  t.teardown(() => connections.forEach((one) => one.disconnect()));
  await Promise.all(connections.map((one) => waitUntilReady(one, 10_000)));
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const [{ admit: first, refund }, { admit: second }] = [
    createVisitLimit(connections[0]),
    createVisitLimit(connections[1]),
  ];
  const endWindows = async (part: string) => {
    const keys = await redis.keys(`hw:explorer:*:${part}:*`);
    if (keys.length > 0) await redis.del(...keys);
  };
  return { redis, connections, first, second, refund, endWindows };
}

test('an address gets 60 pages with flights a minute and 340 more in ten minutes; all processes share this limit', async (t) => {
  const { redis, first, second } = await twoProcesses(t);
  const admitted = await callTimes(200, () => first('203.0.113.7', 1));
  t.deepEqual(new Set(admitted), new Set([0]));
  t.deepEqual(new Set(await callTimes(200, () => second('203.0.113.7', 1))), new Set([0]));
  const waitS = await first('203.0.113.7', 1);
  t.true(waitS > 0 && waitS <= 60, String(waitS));
  t.is(await first('203.0.113.7', 0), 0, 'other pages still answer');
  t.is(await first('203.0.113.8', 1), 0, 'other addresses are not affected');
  for (const key of await redis.keys('hw:explorer:*')) {
    const left = await redis.pttl(key);
    t.true(left > 0 && left <= 86_400_000, `${key} ${left}`);
  }
});

test('a script gets at most 2,000 flights a day; after that the answer names the next day', async (t) => {
  const { first, endWindows } = await twoProcesses(t);
  let answered = 0;
  for (let round = 0; round < 30; round += 1) {
    const waits = await callTimes(100, () => first('203.0.113.7', 1));
    answered += waits.filter((waitS) => waitS === 0).length;
    await Promise.all(['minute', 'burst'].map(endWindows));
  }
  t.is(answered, 2_000);
  const waitS = await first('203.0.113.7', 1);
  t.true(waitS > 80_000 && waitS <= 86_400, String(waitS));
  await endWindows('day');
  t.is(await first('203.0.113.7', 1), 0);
});

test('twenty people behind one address with ten flights each in ten minutes are never refused', async (t) => {
  const { first } = await twoProcesses(t);
  // The hardest case: all 200 flights are requested at once, with five searches for each. No window ends between the
  // requests.
  const flights = await callTimes(200, () => first('203.0.113.7', 1));
  const searches = await callTimes(1_000, () => first('203.0.113.7', 0));
  t.deepEqual(new Set([...flights, ...searches]), new Set([0]));
});

test('refunded flights can be used on the same day, from Redis and without Redis', async (t) => {
  const { connections, first, refund } = await twoProcesses(t);
  const useAll = async (visitor: string) => {
    t.deepEqual(new Set(await callTimes(200, () => first(visitor, 10))), new Set([0]));
    await refund(visitor, 20);
    t.is(await first(visitor, 10), 0);
    t.is(await first(visitor, 10), 0);
    t.true((await first(visitor, 10)) > 80_000);
  };
  await useAll('203.0.113.7');
  connections[0].disconnect();
  await useAll('203.0.113.8');
});

test('while Redis is unavailable, each process counts by itself', async (t) => {
  const { connections, first } = await twoProcesses(t);
  connections[0].disconnect();
  t.deepEqual(new Set(await callTimes(400, () => first('203.0.113.7', 1))), new Set([0]));
  t.true((await first('203.0.113.7', 1)) > 0);
});
