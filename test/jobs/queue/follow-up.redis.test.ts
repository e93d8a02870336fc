import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { requestBackfill } from '../../../jobs/queue/backfill-jobs.ts';
import type { BackfillTally } from '../../../jobs/queue/handlers/sum-up-backfill.ts';
import type { BackfillRequest } from '../../../jobs/queue/month-jobs.ts';
import { findJob } from '../../../jobs/queue/queues.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const FOLDER = { kind: 'folder', path: '/flights' } as const;
const OTHER = { kind: 'folder', path: '/other' } as const;
const PUBLISH = { andThen: 'nightly' } as const;

/** Creates a backfill whose steps record their calls. Months in `blocked` wait until `release`. */
async function aBackfill(t: ExecutionContext) {
  const world = await queueWorld(t);
  const lockFile = join(await tempDir(t), 'backfill.lock');
  const calls: string[] = [];
  const runs: Run[] = [];
  const broken = new Set<string>();
  const gate = Promise.withResolvers<void>();
  const blocked = new Set<string>();
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
      if (blocked.has(month)) await gate.promise;
      if (broken.has(month)) throw new SourceFormatError(month, 'is truncated');
      const from = (source as { path: string }).path;
      calls.push(['extract', month, from, ...(force ? ['force'] : [])].join(' '));
      return { month, outcome: 'done' as const, rowsLoaded: 10, rowsRejected: 0 };
    },
    loadMonths: async (months: string[]) => {
      calls.push(`load ${months.join(' ')}`);
      return { months, flights: 10 };
    },
    buildFeatures: async () => {
      calls.push('nightly');
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
    ...{ calls, runs, broken, blocked, release: gate.resolve },
    start: () => world.work(steps, undefined, { ledger }),
    countNightly: () => calls.filter((call) => call === 'nightly').length,
    request: (from: string, to: string, options: Partial<BackfillRequest> = {}, host = '') =>
      requestBackfill(
        world.queues,
        { months: monthsBetween(from, to), source: FOLDER, force: false, ...options },
        `${lockFile}${host}`,
      ),
  };
}

test('a publish that is requested while its months are under way waits for them', async (t) => {
  const { request, start, follow, calls, countNightly, blocked, release, runs } =
    await aBackfill(t);
  blocked.add('2025-01').add('2025-02');
  await start();
  const first = await request('2025-01', '2025-02');
  const second = await request('2025-01', '2025-02', PUBLISH);
  const part = await request('2025-02', '2025-02', PUBLISH);
  t.is(new Set([first, second, part].map(({ parent }) => parent.id)).size, 3);
  t.is(countNightly(), 0);
  release();
  t.like(await follow(second.parent), { done: 2, skipped: 0, failed: 0 });
  t.like(await follow(part.parent), { done: 1, skipped: 0, failed: 0 });
  await until('the nightly run', () => countNightly() > 0);
  const months = ['extract 2025-01 /flights', 'extract 2025-02 /flights'];
  t.deepEqual(calls.filter((call) => call.startsWith('extract')).toSorted(), months);
  t.deepEqual(calls.filter((call) => call.startsWith('load')).length, 2);
  t.true(calls.indexOf('nightly') > calls.findLastIndex((call) => call.startsWith('load')));
  // A job that waits is not recorded as failed.
  t.deepEqual(
    runs.filter(({ outcome }) => outcome === 'failed'),
    [],
  );
});

test('a publish requested with some months of an unfinished backfill waits for all its months', async (t) => {
  const { request, start, follow, calls, countNightly, blocked, release } = await aBackfill(t);
  blocked.add('2025-02');
  await start();
  await request('2025-01', '2025-02');
  const { parent } = await request('2025-02', '2025-03', PUBLISH);
  await until('the month that is not blocked is loaded', () => calls.includes('load 2025-03'));
  t.is(countNightly(), 0);
  release();
  t.like(await follow(parent), { done: 2, skipped: 0, failed: 0 });
  await until('the nightly run', () => countNightly() === 1);
  t.true(calls.indexOf('nightly') > calls.indexOf('load 2025-02'));
});

test('requests for a month with another source or with force run separately', async (t) => {
  const { request, start, follow, calls, blocked, release } = await aBackfill(t);
  blocked.add('2025-01');
  const requests = [
    await request('2025-01', '2025-01'),
    await request('2025-01', '2025-01', { source: OTHER }),
    await request('2025-01', '2025-01', { force: true }),
  ];
  await start();
  release();
  for (const { parent } of requests) {
    t.like(await follow(parent), { done: 1, skipped: 0, failed: 0 });
  }
  t.deepEqual(calls.filter((call) => call.startsWith('extract')).toSorted(), [
    'extract 2025-01 /flights',
    'extract 2025-01 /flights force',
    'extract 2025-01 /other',
  ]);
});

test('backfills run separately if they have the same first and last month but different months between', async (t) => {
  const { request, start, follow, calls } = await aBackfill(t);
  const twoMonths = await request('2025-01', '2025-03', { months: ['2025-01', '2025-03'] });
  const allMonths = await request('2025-01', '2025-03');
  await start();
  t.like(await follow(twoMonths.parent), { done: 2, skipped: 0, failed: 0 });
  t.like(await follow(allMonths.parent), { done: 3, skipped: 0, failed: 0 });
  t.is(calls.filter((call) => call.startsWith('extract')).length, 3);
});

test('a backfill requested again during its nightly run starts another nightly run', async (t) => {
  const { queues, request, work, follow } = await aBackfill(t);
  const gate = Promise.withResolvers<void>();
  let nightlyRuns = 0;
  await work({
    extractMonth: async ({ month }) => ({ month, outcome: 'done', rowsLoaded: 1, rowsRejected: 0 }),
    loadMonths: async (months) => ({ months, flights: 1 }),
    buildFeatures: async () => {
      nightlyRuns += 1;
      await gate.promise;
      return { rows: {}, checks: [] };
    },
    isTrainingDue: async () => false,
    publishStore: async () => ({ version: 'v1', months: [], bytes: 0 }),
  });
  const first = await request('2025-01', '2025-01', PUBLISH);
  await follow(first.parent);
  await until('its nightly run starts', () => nightlyRuns === 1);
  const secondRequest = await request('2025-01', '2025-01', PUBLISH);
  await until('the month is extracted again', async () => {
    const job = await findJob(queues, secondRequest.months[0]!.extract);
    return job?.finishedOn !== undefined;
  });
  gate.resolve();
  t.like(await follow(secondRequest.parent), { done: 1, skipped: 0, failed: 0 });
  await until('the second nightly run', () => nightlyRuns === 2);
});

test('a failed month of an unfinished backfill that is requested again runs before the nightly run', async (t) => {
  const { queues, request, start, follow, calls, countNightly, broken, blocked, release } =
    await aBackfill(t);
  broken.add('2025-01');
  blocked.add('2025-02');
  await start();
  const first = await request('2025-01', '2025-02', PUBLISH);
  const january = first.months[0]!.load;
  await until('January failed', async () => (await findJob(queues, january))?.isFailed() ?? false);
  broken.delete('2025-01');
  const second = await request('2025-01', '2025-02', PUBLISH);
  t.deepEqual(second.parent, first.parent);
  await until('January is loaded', () => calls.includes('load 2025-01'));
  t.is(countNightly(), 0);
  release();
  t.like(await follow(first.parent), { done: 2, skipped: 0, failed: 0 });
  await until('the nightly run', () => countNightly() === 1);
});

test('requests of several hosts at the same moment all end, and start the nightly run', async (t) => {
  const { request, start, follow, calls, countNightly } = await aBackfill(t);
  const parents = await Promise.all([
    request('2025-01', '2025-02', {}, 'here'),
    request('2025-01', '2025-02', PUBLISH, 'there'),
    request('2025-02', '2025-02', PUBLISH, 'elsewhere'),
  ]);
  await start();
  const ends = await Promise.all(parents.map(({ parent }) => follow<BackfillTally>(parent)));
  t.deepEqual(
    ends.map(({ done, skipped, failed }) => [done, skipped, failed]),
    [
      [2, 0, 0],
      [2, 0, 0],
      [1, 0, 0],
    ],
  );
  t.is(calls.filter((call) => call.startsWith('extract')).length, 2);
  await until('the nightly run', () => countNightly() > 0);
});
