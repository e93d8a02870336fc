import { rm } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { redisPointers } from '../../../../warehouse/lake/shared/redis-pointers.ts';
import { aFolder } from '../../../helpers/flight-files.ts';
import { aHost, aWorld, DAY_MS, JULY, UNIT } from './helpers/hosts.ts';

const KEY = 'hw:lake:s3://lake';
const AUGUST = '2018-08';

/** A world whose Redis can be reset to an earlier state, as after a power cut. `keep` saves this state. */
async function aRestorableWorld(t: Parameters<typeof aWorld>[0]) {
  const world = await aWorld(t);
  let snapshot: Record<string, string> = {};
  return {
    ...world,
    keep: async () => void (snapshot = await world.redis.hgetall(KEY)),
    resetRedis: async () => {
      await world.redis.flushall();
      await world.redis.hset(KEY, snapshot);
    },
    copies: () => [...world.server.objects.keys()].filter((name) => name.includes('pointers/')),
  };
}

test('pointers survive Redis: a wiped or older Redis gets them from the bucket', async (t) => {
  const world = await aRestorableWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.keep();
  await one.load('SFO');
  await world.redis.flushall();
  const other = await aHost(t, world);
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
  await world.resetRedis();
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
  // A reader skips a truncated copy and uses the copy before it. `tidy` writes the newest copy again.
  await one.load('SEA');
  world.server.objects.get(world.copies().toSorted().at(-1)!)!.body = Buffer.from('{"rev": 3');
  await one.lake.tidy();
  await world.redis.flushall();
  await other.lake.refresh();
  t.is(await other.source(), 'SEA.csv');
});

test('after a move in a Redis with older data, neither this month nor any other is reverted', async (t) => {
  const world = await aRestorableWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.keep();
  await one.load('SFO');
  const before = new Set(world.copies());
  await world.resetRedis();
  // Nothing was tidied before this move.
  await one.lake.withUnitLock(UNIT, async () => undefined);
  const other = await aHost(t, world);
  await world.resetRedis();
  await other.load('BOS', AUGUST);
  t.true(
    [...before].every((name) => world.copies().includes(name)),
    'no copy is overwritten',
  );
  for (const again of [() => undefined, () => world.redis.flushall(), () => one.lake.tidy()]) {
    await again();
    await one.lake.refresh();
    t.is(await one.source(), 'SFO.csv');
    t.is(await one.source(AUGUST), 'BOS.csv');
  }
});

test('a replacement of a month that Redis lost works on the acknowledged version', async (t) => {
  const world = await aRestorableWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.keep();
  await one.load('SFO');
  let isFirst = true;
  const other = await aHost(t, world, {
    pointers: (real) => ({
      ...real,
      move: async (...move) => {
        // Redis restarts with old data while the month is being written.
        if (isFirst) await world.resetRedis();
        isFirst = false;
        return real.move(...move);
      },
    }),
  });
  const report = await other.load('SEA');
  t.is(report.months[0]?.replaced?.before.source, 'SFO.csv');
  await one.lake.refresh();
  t.is(await one.source(), 'SEA.csv');
  const versions = (await one.versions()).map(({ manifest }) => manifest.source.name);
  t.deepEqual(versions.toSorted(), ['LAX.csv', 'SFO.csv']);
});

test('an older Redis refuses moves, and a copy does not replace later pointers', async (t) => {
  const { redis } = await aWorld(t);
  const pointers = redisPointers(redis, KEY, 0);
  const none = { rev: 0, id: '', units: {} };
  const first = { rev: 3, id: 'a', units: { july: 'x' } };
  t.is(
    await pointers.move({ unit: 'july', oldState: '', newState: 'x', rev: 0, id: 'b' }),
    undefined,
  );
  await pointers.adopt(first, none);
  await pointers.adopt({ rev: 1, id: 'c', units: {} }, none);
  t.deepEqual(await pointers.readAll(), first);
  const move = { unit: 'july', oldState: 'x', newState: 'y', id: 'd' };
  t.is(await pointers.move({ ...move, rev: 4 }), undefined);
  t.deepEqual(await pointers.move({ ...move, rev: 3 }), { rev: 4, id: 'd', units: { july: 'y' } });
  t.is(await pointers.readRev(), 4);
});

test('a move is acknowledged only after the bucket has a copy of the pointers', async (t) => {
  const world = await aRestorableWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  world.server.fail({
    ...{ on: (request) => request.startsWith('PUT lake/pointers/'), times: 5 },
    ...{ status: 503, code: 'SlowDown' },
  });
  await t.throwsAsync(one.load('SFO'), { name: 'StorageUnavailableError' });
  // The job is retried and has nothing left to do.
  await one.lake.withUnitLock(UNIT, async () => undefined);
  await world.redis.flushall();
  const other = await aHost(t, world);
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
});

test('missing pointers never delete local months, whether the bucket was emptied or a proxy interferes', async (t) => {
  const world = await aWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.redis.flushall();
  const page = { on: () => true, times: 99, status: 404, page: '<title>404</title>' };
  world.server.fail(page);
  await t.throwsAsync(one.lake.refresh(), { message: /HTTP 404.+To fix it: check S3_ENDPOINT/ });
  page.times = 0;
  const files = new Map(world.server.objects);
  world.server.objects.clear();
  const missingPointers = {
    name: 'NoPointersError',
    message: /but the copy \S+ has 1 months.+LAKE_URL/,
  };
  await t.throwsAsync(one.lake.refresh(), missingPointers);
  await t.throwsAsync(one.load('SFO'), missingPointers);
  await t.throwsAsync(one.lake.fetch(), missingPointers);
  t.is(await one.lake.tidy(), 0);
  t.is(await one.source(), 'LAX.csv');
  t.true(await one.isWhole());
  t.is(world.server.objects.size, 0);
  for (const [name, object] of files) world.server.objects.set(name, object);
  await one.lake.refresh();
  t.is(await one.source(), 'LAX.csv');
});

test('an empty machine does not start a new lake over months without pointers, unless it replaces the lake', async (t) => {
  const world = await aRestorableWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.redis.flushall();
  for (const name of world.copies()) world.server.objects.delete(name);
  const objectCount = world.server.objects.size;
  const other = await aHost(t, world);
  const missingPointers = {
    name: 'NoPointersError',
    message: /, but \S+ has files, for example flights\/year=2018/,
  };
  await t.throwsAsync(other.load('SFO'), missingPointers);
  other.clock.now += 2 * DAY_MS;
  t.is(await other.lake.tidy(), 0, 'unreferenced objects are not removed');
  t.is(world.server.objects.size, objectCount);
  await rm(path.join(one.lakeDir, '.home'));
  t.deepEqual(await one.replace(), { units: 1 });
  await other.lake.refresh();
  t.is(await other.source(JULY.month), 'LAX.csv');
  const empty = await aHost(t, world, { mounted: await aFolder(t) });
  await empty.lake.refresh();
  await empty.load('SEA');
  t.is(await empty.source(), 'SEA.csv');
});
