import test from 'ava';
import { UnrecoverableError, Worker } from 'bullmq';
import { queueConnection } from '../../../jobs/queue/queues.ts';
import { requestUndo } from '../../../jobs/queue/request-undo.ts';
import { isUnfinished, requestFile, requestStep } from '../../../jobs/queue/requests.ts';
import type { ExtractRequest } from '../../../pipelines/flights/types.ts';
import { until } from '../helpers/command.ts';
import { aReport } from '../helpers/fake-steps.ts';
import { queueWorld } from '../helpers/queue-world.ts';

const A_FILE = { path: '/a.csv', sha256: 'c0ffee00112233445566' };
const A_BUILD = { rows: {}, checks: [] };

test('a file is extracted and its months are loaded', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  const jobs = await requestFile(queues, A_FILE);
  t.deepEqual(jobs, {
    extract: { queue: 'extract', id: 'extract-file-c0ffee001122' },
    load: { queue: 'warehouse', id: 'load-file-c0ffee001122' },
  });
  await work({
    extractFile: async () => aReport('a.csv', ['2018-01', '2018-02'], ['2018-02']),
    loadMonths: async (months) => ({ months, flights: 100 }),
  });
  t.deepEqual(await follow(jobs.load), { months: ['2018-01'], flights: 100 });
});

test('two requests for the same file are one job', async (t) => {
  const { queues } = await queueWorld(t);
  await Promise.all([requestFile(queues, A_FILE), requestFile(queues, A_FILE)]);
  await requestFile(queues, A_FILE);
  t.is(await queues.queue('extract').count(), 1);
  t.is(await queues.queue('warehouse').count(), 1);
});

test('the same file with another year is another job', async (t) => {
  const { queues } = await queueWorld(t);
  await requestFile(queues, A_FILE);
  const { extract } = await requestFile(queues, { ...A_FILE, year: 2013 });
  t.regex(extract.id, /^extract-file-c0ffee001122-[0-9a-f]{12}$/);
  t.is(await queues.queue('extract').count(), 2);
});

test('a file that may replace a former seed is a separate job', async (t) => {
  const { queues } = await queueWorld(t);
  const plain = await requestFile(queues, A_FILE);
  const former = await requestFile(queues, { ...A_FILE, replaces: ['a former sha256'] });
  t.not(former.extract.id, plain.extract.id);
  t.deepEqual(await requestFile(queues, { ...A_FILE, force: false }), plain);
  t.is(await queues.queue('extract').count(), 2);
});

test('a file requested with force is a separate job that passes force on', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  await requestFile(queues, A_FILE);
  const { extract, load } = await requestFile(queues, { ...A_FILE, force: true });
  t.regex(extract.id, /^extract-file-c0ffee001122-[0-9a-f]{12}$/);
  const requests: ExtractRequest[] = [];
  await work({
    extractFile: async (request) => {
      requests.push(request);
      return aReport('a.csv', ['2018-01']);
    },
    loadMonths: async (months) => ({ months, flights: 100 }),
  });
  await follow(load);
  t.deepEqual(requests, [{ path: '/a.csv' }, { path: '/a.csv', force: true }]);
});

test('a loaded file that is requested again is extracted again', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  let calls = 0;
  await work({
    extractFile: async () => {
      calls += 1;
      return aReport('a.csv', ['2018-01']);
    },
    loadMonths: async (months) => ({ months, flights: 100 }),
  });
  const jobs = await requestFile(queues, A_FILE);
  await follow(jobs.load);
  await requestFile(queues, A_FILE);
  await follow(jobs.load);
  t.is(calls, 2);
});

test('if an extract fails, its load fails too, and the file can be requested again', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  let isBroken = true;
  await work({
    extractFile: async () => {
      if (isBroken) throw new UnrecoverableError('unknown header');
      return aReport('a.csv', ['2018-01']);
    },
    loadMonths: async (months) => ({ months, flights: 100 }),
  });
  const jobs = await requestFile(queues, A_FILE);
  await t.throwsAsync(follow(jobs.extract), { message: 'unknown header' });
  await t.throwsAsync(follow(jobs.load));
  isBroken = false;
  await requestFile(queues, A_FILE);
  t.deepEqual(await follow(jobs.load), { months: ['2018-01'], flights: 100 });
});

test('a file whose extract failed while no worker ran its load can be requested again', async (t) => {
  const { redis, queues, follow, work } = await queueWorld(t);
  const jobs = await requestFile(queues, A_FILE);
  const connection = queueConnection(redis.url);
  const fail = async () => {
    throw new UnrecoverableError('no memory');
  };
  const extractor = new Worker('extract', fail, { connection });
  await t.throwsAsync(follow(jobs.extract), { message: 'no memory' });
  await extractor.close();
  t.true(await isUnfinished(queues, jobs.load));
  await requestFile(queues, A_FILE);
  await work({
    extractFile: async () => aReport('a.csv', ['2018-01']),
    loadMonths: async (months) => ({ months, flights: 100 }),
  });
  t.deepEqual(await follow(jobs.load), { months: ['2018-01'], flights: 100 });
});

test('a step requested while its job waits is the same job; after its end it is a new job', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  let builds = 0;
  const ref = await requestStep(queues, 'build-features');
  await requestStep(queues, 'build-features');
  t.is(await queues.queue('warehouse').count(), 1);
  await work({
    buildFeatures: async () => {
      builds += 1;
      return A_BUILD;
    },
  });
  t.deepEqual(await follow(ref), A_BUILD);
  t.is(builds, 1);
  t.false(await isUnfinished(queues, ref));
  await follow(await requestStep(queues, 'build-features'));
  t.is(builds, 2);
});

test('requests during a publish share one further publish', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  const first = Promise.withResolvers<void>();
  let published = 0;
  await work({
    publishStore: async () => {
      published += 1;
      const version = `v${published}`;
      if (published === 1) await first.promise;
      return { version, months: [], bytes: 0 };
    },
  });
  const running = await requestStep(queues, 'publish');
  await until('the publish runs', () => published === 1);
  const next = await requestStep(queues, 'publish');
  t.deepEqual(await requestStep(queues, 'publish'), next);
  first.resolve();
  t.like(await follow(running), { version: 'v1' });
  t.like(await follow(next), { version: 'v2' });
  t.is(published, 2);
});

test('the last request to drop or restore a month decides, and equal requests share a job', async (t) => {
  const { queues, follow, work } = await queueWorld(t);
  const january = { month: '2025-01', tree: 'flights' } as const;
  const restoreRequest = { ...january, version: 'v1' };
  const restoreJob = await requestUndo(queues, restoreRequest);
  t.deepEqual(await requestUndo(queues, restoreRequest), restoreJob);
  const dropJob = await requestUndo(queues, january);
  t.deepEqual(await requestUndo(queues, january), dropJob);
  t.not((await requestUndo(queues, { ...january, tree: 'levels' })).id, dropJob.id);
  const secondRestoreJob = await requestUndo(queues, restoreRequest);
  t.false([restoreJob.id, dropJob.id].includes(secondRestoreJob.id));
  const calls: string[] = [];
  await work({
    restoreMonth: async ({ month, tree, version }) => {
      calls.push(`${tree} ${month} ${version}`);
      return { month, tree };
    },
    dropMonth: async ({ month, tree }) => {
      calls.push(`${tree} ${month} dropped`);
      return { month, tree };
    },
  });
  await follow(secondRestoreJob);
  t.deepEqual(calls, [
    'flights 2025-01 v1',
    'flights 2025-01 dropped',
    'levels 2025-01 dropped',
    'flights 2025-01 v1',
  ]);
});
