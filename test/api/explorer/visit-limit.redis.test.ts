import test from 'ava';
import { Redis } from 'ioredis';
import { createVisitLimit } from '../../../api/explorer/visit-limit.ts';
import { connectRedis, waitUntilReady } from '../../../api/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const callTimes = <T>(count: number, make: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, make));

test('a visitor may send 60 requests a minute to all processes together, or 20 to each while Redis is unavailable', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const [one, other] = [connectRedis(server.url), connectRedis(server.url)];
  t.teardown(() => [one, other].forEach((redis) => redis.disconnect()));
  await Promise.all([waitUntilReady(one, 10_000), waitUntilReady(other, 10_000)]);
  const [first, second] = [createVisitLimit(one), createVisitLimit(other)];
  t.deepEqual(new Set(await callTimes(40, () => first('203.0.113.7'))), new Set([0]));
  t.deepEqual(new Set(await callTimes(20, () => second('203.0.113.7'))), new Set([0]));
  const waitS = await first('203.0.113.7');
  t.true(waitS > 0 && waitS <= 60, String(waitS));
  t.is(await first('203.0.113.8'), 0);
  // The counter expires within a minute.
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const left = await redis.pttl('hw:explorer:203.0.113.7');
  t.true(left > 0 && left <= 60_000, String(left));

  one.disconnect();
  t.deepEqual(new Set(await callTimes(20, () => first('203.0.113.7'))), new Set([0]));
  t.true((await first('203.0.113.7')) > 0);
});
