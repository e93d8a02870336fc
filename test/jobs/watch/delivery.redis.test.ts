import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';
import { pendingCount } from '../../../jobs/watch/delivery.ts';
import { readRecords } from '../../../warehouse/live/incident-records.ts';
import { readIncidents } from '../../../warehouse/live/incidents.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';
import { aListener, SECRET } from '../helpers/notice-listener.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const CHILD = fileURLToPath(new URL('../helpers/watch-child.ts', import.meta.url));
const NEWS = { name: 'refresh-news', id: 'refresh-news', data: {} };
const WEATHER = { name: 'refresh-weather', id: 'refresh-weather', data: {} };
const DAY_MS = 86_400_000;

/** A Redis, and workers of it with or without an address; `clock.ms` is by how much they are ahead of the time. */
async function someWorkers(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const dataDir = await tempDir(t);
  const clock = { ms: 0 };
  const warned: string[] = [];
  const log = { warn: (_facts: object, text: string) => void warned.push(text) } as never;
  const now = () => new Date(Date.now() + clock.ms);
  const worker = (address?: string) => {
    // Receivers check by the clock of the wall when a notice was signed.
    const patience = { pauseMs: 1, timeoutMs: 200 };
    const hook =
      address && createWebhook({ url: address, secret: SECRET }, () => new Date(), patience);
    const paths = dataPaths(dataDir);
    const staleness = async () => [];
    const watch = createJobWatch({ redis, paths, hook: hook || undefined, staleness, log, now });
    const settle = async (work: () => void) => {
      work();
      await watch.settled();
    };
    return {
      watch,
      address: hook ? hook.address : '',
      fails: (job = NEWS) => settle(() => watch.failed(job, new Error('no feed answers'))),
      isDone: (job = NEWS) => settle(() => watch.done(job, {})),
      look: () => settle(() => watch.signal([])),
    };
  };
  const open = async () => (await readIncidents(redis)).map(({ key }) => key);
  return { url, redis, dataDir, clock, warned, worker, open };
}

const typesOf = (got: { type: string }[]) => got.map(({ type }) => type);

test('a notice that nobody takes is kept, tried again and sent by the next look, under one id', async (t) => {
  const { redis, warned, worker, open } = await someWorkers(t);
  const { got, ids, url } = await aListener(t, [503, 500, 503, 500]);
  const one = worker(url);
  await one.fails();
  t.deepEqual(got, []);
  t.deepEqual(await open(), ['job refresh-news'], 'whoever looks sees it all the same');
  t.is(pendingCount(await readRecords(redis), one.address), 1);
  t.deepEqual(warned, ['notice not sent']);
  await one.look();
  t.deepEqual(typesOf(got), ['job.failed']);
  t.is(ids.length, 5);
  t.is(new Set(ids).size, 1);
  await one.look();
  await one.fails();
  t.is(got.length, 1, 'once');
  t.is(pendingCount(await readRecords(redis), one.address), 0);
});

test('a worker killed while it sends has said nothing: another sends the same, under the same id', async (t) => {
  const { url, dataDir, clock, worker, open } = await someWorkers(t);
  const { got, ids, answers, url: address } = await aListener(t, [{ waitMs: 60_000 }]);
  const child = spawn(process.execPath, [CHILD, url, address, SECRET, dataDir]);
  t.teardown(() => child.kill('SIGKILL'));
  await until('it sends', () => ids.length === 1);
  child.kill('SIGKILL');
  await once(child, 'close');
  t.deepEqual(await open(), ['job refresh-news']);
  answers.length = 0;
  const other = worker(address);
  await other.look();
  t.is(ids.length, 1, 'the one that was killed may still be at it');
  clock.ms = 2 * 60_000;
  await other.look();
  t.deepEqual(typesOf(got), ['job.failed']);
  t.is(new Set(ids).size, 1);
  t.is(ids.length, 2);
});

test('what was noted and never sent, as by a worker killed before, is sent by the next look, and its end too', async (t) => {
  const { worker, open } = await someWorkers(t);
  const { got, ids, url } = await aListener(t);
  const [silent, speaking] = [worker(), worker(url)];
  await silent.fails();
  await speaking.look();
  t.deepEqual(typesOf(got), ['job.failed']);
  await silent.isDone();
  t.deepEqual(await open(), []);
  await silent.look();
  t.is(got.length, 1);
  await speaking.look();
  t.deepEqual(typesOf(got), ['job.failed', 'job.failed.over']);
  t.is(new Set(ids).size, 2);
  await silent.fails();
  await silent.isDone();
  await speaking.look();
  t.is(got.length, 2, 'what is over before anybody knows of it is not told');
});

test('an address that is new learns what is open, each learns what is over of what it knows', async (t) => {
  const { redis, clock, warned, worker } = await someWorkers(t);
  const [former, other] = [await aListener(t), await aListener(t)];
  await worker(former.url).fails();
  const next = worker(other.url);
  await next.look();
  await worker(former.url).look();
  t.deepEqual(
    [former, other].map(({ got }) => typesOf(got)),
    [['job.failed'], ['job.failed']],
  );
  await next.isDone();
  await next.look();
  t.deepEqual(typesOf(other.got), ['job.failed', 'job.failed.over']);
  t.is((await readRecords(redis)).length, 1, 'the former address is owed the end');
  clock.ms = 3 * DAY_MS + 1_000;
  await next.look();
  t.deepEqual(await readRecords(redis), []);
  t.deepEqual(warned, ['notice given up']);
});

test('an end that nobody takes is sent by the next look; what comes again before goes on', async (t) => {
  const { worker, open } = await someWorkers(t);
  const { got, answers, ids, url } = await aListener(t);
  const one = worker(url);
  await one.fails();
  answers.push(503, 503, 503);
  await one.isDone();
  t.deepEqual(await open(), []);
  await one.look();
  t.deepEqual(typesOf(got), ['job.failed', 'job.failed.over']);
  t.is(new Set(ids).size, 2);
  await one.fails();
  answers.push(503, 503, 503);
  await one.isDone();
  await one.fails();
  t.is(got.length, 3, 'its end was never told, so it still is');
  await one.isDone();
  t.deepEqual(typesOf(got).slice(2), ['job.failed', 'job.failed.over']);
});

test('an address that answers too late gets the same again, and learns of the end', async (t) => {
  const { worker } = await someWorkers(t);
  const slow = { waitMs: 400 };
  const { got, ids, url } = await aListener(t, [slow, slow, slow]);
  const one = worker(url);
  await one.fails();
  t.is(ids.length, 3);
  t.is(new Set(ids).size, 1);
  await one.isDone();
  await until('it took all', () => got.length === 4);
  t.is(got.filter(({ type }) => type === 'job.failed.over').length, 1);
});

test('workers of one address send once, and a notice that is never taken holds up no other', async (t) => {
  const { redis, worker } = await someWorkers(t);
  const { got, url } = await aListener(t);
  const workers = [1, 2, 3].map(() => worker(url));
  await Promise.all(workers.map((one) => one.fails()));
  t.is(got.length, 1);
  const [one] = workers;
  const bad = await aListener(
    t,
    Array.from({ length: 9 }, () => 400),
  );
  const other = worker(bad.url);
  await other.look();
  await one?.fails(WEATHER);
  await until('the other one is sent', async () => {
    await other.look();
    return bad.got.length > 0;
  });
  t.is(bad.got.length, 2);
  t.is(pendingCount(await readRecords(redis), other.address), 0);
});

test('news of a model that was noted and not sent is sent once, and forgotten in time', async (t) => {
  const { redis, clock, warned, worker, open } = await someWorkers(t);
  const { got, url } = await aListener(t, [503, 503, 503]);
  const one = worker(url);
  one.watch.done({ name: 'train', id: 'train', data: {} }, { isReleased: true, why: 'better' });
  await one.watch.settled();
  t.deepEqual(await open(), [], 'no incident');
  await one.look();
  await one.look();
  t.deepEqual(
    got.map(({ type, text }) => [type, text]),
    [['model.released', 'better']],
  );
  clock.ms = 3 * DAY_MS + 1_000;
  await one.look();
  t.deepEqual(await readRecords(redis), []);
  t.deepEqual(warned, ['notice not sent']);
});

test('a record that is none keeps no other from being told or listed, and is replaced', async (t) => {
  const { redis, worker, open } = await someWorkers(t);
  const { got, url } = await aListener(t);
  await redis.hset('hw:incidents', 'job refresh-news', '{half', 'checks', '7');
  const one = worker(url);
  await one.fails();
  t.deepEqual(typesOf(got), ['job.failed']);
  t.deepEqual(await open(), ['job refresh-news']);
});
