import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { requestBackfill } from '../../../jobs/queue/backfill-jobs.ts';
import type { BackfillRequest } from '../../../jobs/queue/month-jobs.ts';
import { findJob } from '../../../jobs/queue/queues.ts';
import { SourceFormatError } from '../../../pipelines/errors.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const FOLDER = { kind: 'folder', path: '/flights' } as const;
const OTHER = { kind: 'folder', path: '/other' } as const;
const PUBLISH = { andThen: 'nightly' } as const;

/** A back-fill whose steps write down what they do; months that are held end when they are let go. */
async function aBackfill(t: ExecutionContext) {
  const world = await queueWorld(t);
  const lockFile = join(await tempDir(t), 'backfill.lock');
  const calls: string[] = [];
  const runs: Run[] = [];
  const broken = new Set<string>();
  const gate = Promise.withResolvers<void>();
  const held = new Set<string>();
  const steps = {
    extractMonth: async ({
      month,
      source,
      force,
    }: {
      month: string;
      source: object;
      force: boolean;
    }) => {
      if (held.has(month)) await gate.promise;
      if (broken.has(month)) throw new SourceFormatError(month, 'is torn');
      const from = (source as { path: string }).path;
      calls.push(['extract', month, from, ...(force ? ['force'] : [])].join(' '));
      return { month, outcome: 'done' as const, rowsLoaded: 10, rowsRejected: 0 };
    },
    loadMonths: async (months: string[]) => {
      calls.push(`load ${months.join(' ')}`);
      return { months, flights: 10 };
    },
    buildFeatures: async () => {
      calls.push('night');
      return { rows: {}, checks: [] };
    },
    isTrainingDue: async () => false,
    publishStore: async () => ({ version: 'v1', months: [], bytes: 0 }),
  };
  const ledger = {
    record: async (run: Run) => void runs.push(run),
    codeVersion: 'test',
    now: () => new Date(),
    randomLetters: () => 'abc',
  };
  return {
    ...world,
    ...{ calls, runs, broken, held, letGo: gate.resolve },
    start: () => world.work(steps, undefined, { ledger }),
    nights: () => calls.filter((call) => call === 'night').length,
    request: (from: string, to: string, options: Partial<BackfillRequest> = {}, host = '') =>
      requestBackfill(
        world.queues,
        { months: monthsBetween(from, to), source: FOLDER, force: false, ...options },
        `${lockFile}${host}`,
      ),
  };
}

test('a publish that is requested while all its months are under way follows them', async (t) => {
  const { request, start, follow, calls, nights, held, letGo, runs } = await aBackfill(t);
  held.add('2025-01').add('2025-02');
  await start();
  const first = await request('2025-01', '2025-02');
  const second = await request('2025-01', '2025-02', PUBLISH);
  const part = await request('2025-02', '2025-02', PUBLISH);
  t.is(new Set([first, second, part].map(({ parent }) => parent.id)).size, 3);
  t.is(nights(), 0);
  letGo();
  t.deepEqual(await follow(second.parent), { done: 2, skipped: 0, failed: 0 });
  t.deepEqual(await follow(part.parent), { done: 1, skipped: 0, failed: 0 });
  await until('the night', () => nights() > 0);
  const months = ['extract 2025-01 /flights', 'extract 2025-02 /flights'];
  t.deepEqual(calls.filter((call) => call.startsWith('extract')).toSorted(), months);
  t.deepEqual(calls.filter((call) => call.startsWith('load')).length, 2);
  t.true(calls.indexOf('night') > calls.findLastIndex((call) => call.startsWith('load')));
  // Waiting is no failure.
  t.deepEqual(runs, []);
});

test('a publish that is requested with other months of an unfinished back-fill follows all of them', async (t) => {
  const { request, start, follow, calls, nights, held, letGo } = await aBackfill(t);
  held.add('2025-02');
  await start();
  await request('2025-01', '2025-02');
  const { parent } = await request('2025-02', '2025-03', PUBLISH);
  await until('the free months', () => calls.includes('load 2025-03'));
  t.is(nights(), 0);
  letGo();
  t.deepEqual(await follow(parent), { done: 2, skipped: 0, failed: 0 });
  await until('the night', () => nights() === 1);
  t.true(calls.indexOf('night') > calls.indexOf('load 2025-02'));
});

test('a month under way is requested again with another source or with force, and each request is done', async (t) => {
  const { request, start, follow, calls, held, letGo } = await aBackfill(t);
  held.add('2025-01');
  const requests = [
    await request('2025-01', '2025-01'),
    await request('2025-01', '2025-01', { source: OTHER }),
    await request('2025-01', '2025-01', { force: true }),
  ];
  await start();
  letGo();
  for (const { parent } of requests) {
    t.deepEqual(await follow(parent), { done: 1, skipped: 0, failed: 0 });
  }
  t.deepEqual(calls.filter((call) => call.startsWith('extract')).toSorted(), [
    'extract 2025-01 /flights',
    'extract 2025-01 /flights force',
    'extract 2025-01 /other',
  ]);
});

test('back-fills that differ only in months between the first and the last are both done', async (t) => {
  const { request, start, follow, calls } = await aBackfill(t);
  const ends = await request('2025-01', '2025-03', { months: ['2025-01', '2025-03'] });
  const all = await request('2025-01', '2025-03');
  await start();
  t.deepEqual(await follow(ends.parent), { done: 2, skipped: 0, failed: 0 });
  t.deepEqual(await follow(all.parent), { done: 3, skipped: 0, failed: 0 });
  t.is(calls.filter((call) => call.startsWith('extract')).length, 3);
});

test('a back-fill that is requested again while its night runs has a night of its own', async (t) => {
  const { queues, request, work, follow } = await aBackfill(t);
  const night = Promise.withResolvers<void>();
  let nights = 0;
  await work({
    extractMonth: async ({ month }) => ({ month, outcome: 'done', rowsLoaded: 1, rowsRejected: 0 }),
    loadMonths: async (months) => ({ months, flights: 1 }),
    buildFeatures: async () => {
      nights += 1;
      await night.promise;
      return { rows: {}, checks: [] };
    },
    isTrainingDue: async () => false,
    publishStore: async () => ({ version: 'v1', months: [], bytes: 0 }),
  });
  const first = await request('2025-01', '2025-01', PUBLISH);
  await follow(first.parent);
  await until('its night runs', () => nights === 1);
  const again = await request('2025-01', '2025-01', PUBLISH);
  await until('it is extracted', async () => {
    const job = await findJob(queues, again.months[0]!.extract);
    return job?.finishedOn !== undefined;
  });
  night.resolve();
  t.deepEqual(await follow(again.parent), { done: 1, skipped: 0, failed: 0 });
  await until('the other night', () => nights === 2);
});

test('a failed month of an unfinished back-fill is done again when it is requested again, before the night', async (t) => {
  const { queues, request, start, follow, calls, nights, broken, held, letGo } = await aBackfill(t);
  broken.add('2025-01');
  held.add('2025-02');
  await start();
  const first = await request('2025-01', '2025-02', PUBLISH);
  const january = first.months[0]!.load;
  await until('January failed', async () => (await findJob(queues, january))?.isFailed() ?? false);
  broken.delete('2025-01');
  const second = await request('2025-01', '2025-02', PUBLISH);
  t.deepEqual(second.parent, first.parent);
  await until('January is loaded', () => calls.includes('load 2025-01'));
  t.is(nights(), 0);
  letGo();
  t.deepEqual(await follow(first.parent), { done: 2, skipped: 0, failed: 0 });
  await until('the night', () => nights() === 1);
});

test('two hosts that request the same months at the same moment both get an end, and the night', async (t) => {
  const { request, start, follow, calls, nights } = await aBackfill(t);
  const parents = await Promise.all([
    request('2025-01', '2025-02', {}, 'here'),
    request('2025-01', '2025-02', PUBLISH, 'there'),
    request('2025-02', '2025-02', PUBLISH, 'elsewhere'),
  ]);
  await start();
  const ends = await Promise.all(parents.map(({ parent }) => follow(parent)));
  t.deepEqual(ends, [
    { done: 2, skipped: 0, failed: 0 },
    { done: 2, skipped: 0, failed: 0 },
    { done: 1, skipped: 0, failed: 0 },
  ]);
  t.is(calls.filter((call) => call.startsWith('extract')).length, 2);
  await until('the night', () => nights() > 0);
});
