import { rm } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { redisPointers } from '../../../../warehouse/lake/shared/redis-pointers.ts';
import { aFolder } from '../../../helpers/flight-files.ts';
import { aHost, aWorld, DAY_MS, JULY, UNIT } from './helpers/hosts.ts';

const KEY = 'hw:lake:s3://lake';
const AUGUST = '2018-08';

/** A world whose Redis can come back as it was when `keep` was called, as after a power cut. */
async function aForgetfulWorld(t: Parameters<typeof aWorld>[0]) {
  const world = await aWorld(t);
  let kept: Record<string, string> = {};
  return {
    ...world,
    keep: async () => void (kept = await world.redis.hgetall(KEY)),
    comeBackOlder: async () => {
      await world.redis.flushall();
      await world.redis.hset(KEY, kept);
    },
    copies: () => [...world.server.objects.keys()].filter((name) => name.includes('pointers/')),
  };
}

test('pointers survive Redis: one that is wiped, or comes back older, has them from the bucket', async (t) => {
  const world = await aForgetfulWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.keep();
  await one.load('SFO');
  await world.redis.flushall();
  const other = await aHost(t, world);
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
  await world.comeBackOlder();
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
  // A copy that was cut while it was written is not taken; the one before is, and settling writes the newest anew.
  await one.load('SEA');
  world.server.objects.get(world.copies().toSorted().at(-1)!)!.body = Buffer.from('{"rev": 3');
  await one.lake.tidy();
  await world.redis.flushall();
  await other.lake.refresh();
  t.is(await other.source(), 'SEA.csv');
});

test('a month moved in a Redis that came back older reverts no month, and stays itself', async (t) => {
  const world = await aForgetfulWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.keep();
  await one.load('SFO');
  const before = new Set(world.copies());
  await world.comeBackOlder();
  // No tidying came before this move.
  await one.lake.alone(UNIT, async () => undefined);
  const other = await aHost(t, world);
  await world.comeBackOlder();
  await other.load('BOS', AUGUST);
  t.true(
    [...before].every((name) => world.copies().includes(name)),
    'no copy is written over',
  );
  for (const again of [() => undefined, () => world.redis.flushall(), () => one.lake.tidy()]) {
    await again();
    await one.lake.refresh();
    t.is(await one.source(), 'SFO.csv');
    t.is(await one.source(AUGUST), 'BOS.csv');
  }
});

test('whoever replaces a month that Redis forgot works on what was acknowledged', async (t) => {
  const world = await aForgetfulWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.keep();
  await one.load('SFO');
  let isFirst = true;
  const other = await aHost(t, world, {
    pointers: (real) => ({
      ...real,
      move: async (...move) => {
        // The power fails while the month is written.
        if (isFirst) await world.comeBackOlder();
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

test('Redis moves nothing when it is older than the writer saw it, and adopts no copy over a later move', async (t) => {
  const { redis } = await aWorld(t);
  const here = redisPointers(redis, KEY, 0);
  const none = { rev: 0, id: '', units: {} };
  const first = { rev: 3, id: 'a', units: { july: 'x' } };
  t.is(await here.move({ unit: 'july', seen: '', next: 'x', rev: 0, id: 'b' }), undefined);
  await here.adopt(first, none);
  await here.adopt({ rev: 1, id: 'c', units: {} }, none);
  t.deepEqual(await here.all(), first);
  const move = { unit: 'july', seen: 'x', next: 'y', id: 'd' };
  t.is(await here.move({ ...move, rev: 4 }), undefined);
  t.deepEqual(await here.move({ ...move, rev: 3 }), { rev: 4, id: 'd', units: { july: 'y' } });
  t.is(await here.rev(), 4);
});

test('a month is acknowledged once the bucket has a copy of the pointers', async (t) => {
  const world = await aForgetfulWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  world.server.fail({
    ...{ on: (request) => request.startsWith('PUT lake/pointers/'), times: 5 },
    ...{ status: 503, code: 'SlowDown' },
  });
  await t.throwsAsync(one.load('SFO'), { name: 'StorageAwayError' });
  // The job runs again and finds nothing to do.
  await one.lake.alone(UNIT, async () => undefined);
  await world.redis.flushall();
  const other = await aHost(t, world);
  await other.lake.refresh();
  t.is(await other.source(), 'SFO.csv');
});

test('months here are not deleted for want of pointers: of a bucket that is emptied, or one that a proxy stands before', async (t) => {
  const world = await aWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.redis.flushall();
  const page = { on: () => true, times: 99, status: 404, page: '<title>404</title>' };
  world.server.fail(page);
  await t.throwsAsync(one.lake.refresh(), { message: /HTTP 404.+What helps: check S3_ENDPOINT/ });
  page.times = 0;
  const files = new Map(world.server.objects);
  world.server.objects.clear();
  const isTold = { name: 'NoPointersError', message: /is a copy of it and has 1 months.+LAKE_URL/ };
  await t.throwsAsync(one.lake.refresh(), isTold);
  await t.throwsAsync(one.load('SFO'), isTold);
  await t.throwsAsync(one.lake.fetch(), isTold);
  t.is(await one.lake.tidy(), 0);
  t.is(await one.source(), 'LAX.csv');
  t.true(await one.isWhole());
  t.is(world.server.objects.size, 0);
  for (const [name, object] of files) world.server.objects.set(name, object);
  await one.lake.refresh();
  t.is(await one.source(), 'LAX.csv');
});

test('a machine with nothing starts no empty lake over months whose pointers are lost, unless it replaces the lake', async (t) => {
  const world = await aForgetfulWorld(t);
  const one = await aHost(t, world);
  await one.load('LAX');
  await world.redis.flushall();
  for (const name of world.copies()) world.server.objects.delete(name);
  const left = world.server.objects.size;
  const other = await aHost(t, world);
  const isTold = { name: 'NoPointersError', message: /it holds files, flights\/year=2018/ };
  await t.throwsAsync(other.load('SFO'), isTold);
  other.clock.now += 2 * DAY_MS;
  t.is(await other.lake.tidy(), 0, 'and what nothing names is not removed');
  t.is(world.server.objects.size, left);
  await rm(path.join(one.lakeDir, '.home'));
  t.deepEqual(await one.replace(), { units: 1 });
  await other.lake.refresh();
  t.is(await other.source(JULY.month), 'LAX.csv');
  const empty = await aHost(t, world, { mounted: await aFolder(t) });
  await empty.lake.refresh();
  await empty.load('SEA');
  t.is(await empty.source(), 'SEA.csv');
});
