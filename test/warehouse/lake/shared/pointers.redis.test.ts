import test from 'ava';
import { aHost, aWorld } from './helpers/hosts.ts';

test('pointers survive Redis: one that is wiped, or comes back older, has them from the bucket', async (t) => {
  const world = await aWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  const old = await world.redis.hgetall('hw:lake:s3://lake');
  await one.load('SFO');
  await world.redis.flushall();
  const other = await aHost(t, world);
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
  await world.redis.flushall();
  await world.redis.hset('hw:lake:s3://lake', old);
  await other.lake.tidy();
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
  // A copy that was cut while it was written is not taken; the one before is, and settling writes the newest anew.
  await one.load('SEA');
  const copies = [...world.server.objects.keys()].filter((name) => name.includes('pointers/'));
  world.server.objects.get(copies.toSorted().at(-1)!)!.body = Buffer.from('{"rev": 3');
  await one.lake.tidy();
  await world.redis.flushall();
  await other.lake.refresh();
  t.is(await other.source(), 'SEA.csv');
});
