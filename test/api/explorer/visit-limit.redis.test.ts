import test from 'ava';
import { Redis } from 'ioredis';
import { createVisitLimit } from '../../../api/explorer/visit-limit.ts';
import { connectRedis, untilReady } from '../../../api/redis.ts';
import { borrowRedis } from '../../helpers/redis.ts';

const times = <T>(count: number, make: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, make));

test('a visitor asks 60 times a minute of all processes together, and 20 of each while Redis is away', async (t) => {
  const server = await borrowRedis((stop) => t.teardown(stop));
  const [one, other] = [connectRedis(server.url), connectRedis(server.url)];
  t.teardown(() => [one, other].forEach((redis) => redis.disconnect()));
  await Promise.all([untilReady(one, 10_000), untilReady(other, 10_000)]);
  const [here, there] = [createVisitLimit(one), createVisitLimit(other)];
  t.deepEqual(new Set(await times(40, () => here('203.0.113.7'))), new Set([0]));
  t.deepEqual(new Set(await times(20, () => there('203.0.113.7'))), new Set([0]));
  const waitS = await here('203.0.113.7');
  t.true(waitS > 0 && waitS <= 60, String(waitS));
  t.is(await here('203.0.113.8'), 0);
  // Nothing of it outlives the minute.
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const left = await redis.pttl('hw:explorer:203.0.113.7');
  t.true(left > 0 && left <= 60_000, String(left));

  one.disconnect();
  t.deepEqual(new Set(await times(20, () => here('203.0.113.7'))), new Set([0]));
  t.true((await here('203.0.113.7')) > 0);
});
