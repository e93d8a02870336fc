import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { requestBackfill, type BackfillJobs } from '../../../jobs/queue/backfill-jobs.ts';
import type { BackfillRequest } from '../../../jobs/queue/month-jobs.ts';
import { followMonths } from '../../../jobs/cli/follow-months.ts';
import { findJob } from '../../../jobs/queue/queues.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { SourceOutageError } from '../../../pipelines/errors.ts';
import { monthsBetween } from '../../../pipelines/flights/months.ts';
import type { MonthRequest, MonthResult } from '../../../pipelines/flights/types.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { until } from '../helpers/command.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const FOLDER = { kind: 'folder', path: '/flights' } as const;

async function aWorld(t: ExecutionContext) {
  const world = await queueWorld(t);
  const lockFile = join(await tempDir(t), 'backfill.lock');
  const notes: string[] = [];
  const watcher = {
    onEnd: () => undefined,
    onProgress: () => undefined,
    onRetry: (job: { id?: string; failedReason: string }) =>
      void notes.push(`${job.id}: ${job.failedReason}`),
  };
  return {
    ...world,
    notes,
    request: (from: string, to: string, options: Partial<BackfillRequest> = {}) =>
      requestBackfill(
        world.queues,
        { months: monthsBetween(from, to), source: FOLDER, force: false, ...options },
        lockFile,
      ),
    outcomesOf: async ({ months }: BackfillJobs) => {
      const signal = AbortSignal.timeout(120_000);
      const results = await followMonths(months, watcher, { queues: world.queues, signal });
      return results.map(({ month, result, failure }) => `${month} ${failure ?? result.outcome}`);
    },
  };
}

const done = ({ month }: MonthRequest): MonthResult => ({
  month,
  outcome: 'done',
  rowsLoaded: 10,
  rowsRejected: 0,
});

/** Creates steps that record their calls. */
function recordingSteps(
  extractMonth: (request: MonthRequest) => Promise<MonthResult> | MonthResult,
) {
  const calls: string[] = [];
  const steps: Partial<PipelineSteps> = {
    extractMonth: async (request) => {
      calls.push(`extract ${request.month}`);
      return extractMonth(request);
    },
    loadMonths: async (months) => {
      calls.push(`load ${months.join(' ')}`);
      return { months, flights: 10 };
    },
  };
  return { calls, steps };
}

test('each month is extracted and loaded, and the parent counts them', async (t) => {
  const { request, outcomesOf, work, follow } = await aWorld(t);
  const jobs = await request('2025-01', '2025-02');
  const { extract, load } = jobs.months[0]!;
  t.deepEqual([extract.queue, load.queue], ['extract', 'warehouse']);
  t.regex(extract.id, /^extract-flights-2025-01-[0-9a-f]{12}$/);
  t.is(load.id, extract.id.replace('extract', 'load'));
  t.regex(jobs.parent.id, /^backfill-2025-01-2025-02-[0-9a-f]{12}$/);
  const { calls, steps } = recordingSteps(done);
  await work(steps);
  t.deepEqual(await outcomesOf(jobs), ['2025-01 done', '2025-02 done']);
  t.deepEqual(calls.toSorted(), [
    'extract 2025-01',
    'extract 2025-02',
    'load 2025-01',
    'load 2025-02',
  ]);
  t.like(await follow(jobs.parent), { done: 2, skipped: 0, failed: 0 });
});

test('a month that fails or is not published does not stop the others', async (t) => {
  const { request, outcomesOf, work, follow } = await aWorld(t);
  const { calls, steps } = recordingSteps((request) => {
    if (request.month === '2025-02') throw new SourceFormatError('2025_2.zip', 'contains 2024-02');
    if (request.month === '2025-03') return { ...done(request), outcome: 'absent' };
    return done(request);
  });
  await work(steps);
  const jobs = await request('2025-01', '2025-04');
  t.deepEqual(await outcomesOf(jobs), [
    '2025-01 done',
    '2025-02 2025_2.zip: contains 2024-02',
    '2025-03 absent',
    '2025-04 done',
  ]);
  t.deepEqual(calls.filter((call) => call.startsWith('load')).toSorted(), [
    'load 2025-01',
    'load 2025-04',
  ]);
  t.like(await follow(jobs.parent), {
    title: 'backfill 2025-01 to 2025-04',
    ...{ done: 2, skipped: 1, failed: 1 },
    failures: [{ month: '2025-02', why: '2025_2.zip: contains 2024-02' }],
  });
});

test('overlapping requests at the same time extract each month once', async (t) => {
  const { request, outcomesOf, work } = await aWorld(t);
  const [first, second] = await Promise.all([
    request('2025-01', '2025-03'),
    request('2025-02', '2025-04'),
  ]);
  const lastRequest = await request('2025-03', '2025-03');
  const { calls, steps } = recordingSteps(done);
  await Promise.all([work(steps), work(steps)]);
  t.deepEqual(await outcomesOf(first), ['2025-01 done', '2025-02 done', '2025-03 done']);
  t.deepEqual(await outcomesOf(second), ['2025-02 done', '2025-03 done', '2025-04 done']);
  t.deepEqual(await outcomesOf(lastRequest), ['2025-03 done']);
  t.deepEqual(calls.filter((call) => call.startsWith('extract')).toSorted(), [
    'extract 2025-01',
    'extract 2025-02',
    'extract 2025-03',
    'extract 2025-04',
  ]);
});

test('a backfill that has ended runs again when it is requested again', async (t) => {
  const { request, outcomesOf, work, follow } = await aWorld(t);
  let isBroken = true;
  const { calls, steps } = recordingSteps((request) => {
    const isRefused = isBroken && request.month === '2025-02';
    if (isRefused) throw new SourceFormatError('2025_2.zip', 'is empty');
    return done(request);
  });
  await work(steps);
  const first = await request('2025-01', '2025-02');
  t.deepEqual(await outcomesOf(first), ['2025-01 done', '2025-02 2025_2.zip: is empty']);
  isBroken = false;
  const second = await request('2025-01', '2025-02');
  t.deepEqual(await outcomesOf(second), ['2025-01 done', '2025-02 done']);
  t.like(await follow(second.parent), { done: 2, skipped: 0, failed: 0 });
  t.is(calls.filter((call) => call.startsWith('extract')).length, 4);
});

test('a request follows an unfinished backfill, and finished months do not run again', async (t) => {
  const { request, outcomesOf, work, queues } = await aWorld(t);
  let release = () => undefined as void;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const { calls, steps } = recordingSteps(async (request) => {
    if (request.month !== '2025-01') await gate;
    return done(request);
  });
  // The test needs two workers, because the waiting months use both slots of one worker.
  await Promise.all([work(steps), work(steps)]);
  const first = await request('2025-01', '2025-03');
  const january = first.months[0]!.load;
  await until('January is loaded', async () =>
    Boolean((await findJob(queues, january))?.returnvalue),
  );
  const second = await request('2025-01', '2025-03');
  t.deepEqual(second.parent, first.parent);
  // A separate request for one month does not remove the month from the backfill.
  t.deepEqual(await outcomesOf(await request('2025-01', '2025-01')), ['2025-01 done']);
  release();
  t.deepEqual(await outcomesOf(second), ['2025-01 done', '2025-02 done', '2025-03 done']);
  await until('the parent ends', async () => {
    const parent = await findJob(queues, first.parent);
    return (parent?.returnvalue as { done: number } | null)?.done === 3;
  });
  t.is(calls.filter((call) => call === 'extract 2025-02').length, 1);
});

test('after an outage, the month is retried, not earlier than Retry-After', async (t) => {
  const { request, outcomesOf, work, notes } = await aWorld(t);
  const times: number[] = [];
  const { steps } = recordingSteps((request) => {
    times.push(Date.now());
    if (times.length > 1) return done(request);
    throw new SourceOutageError('2025_1.zip', 'the server answers 503', { retryAfterMs: 2_500 });
  });
  await work(steps);
  t.deepEqual(await outcomesOf(await request('2025-01', '2025-01')), ['2025-01 done']);
  t.true(times[1]! - times[0]! >= 2_490);
  t.is(notes.length, 1);
  t.regex(notes[0]!, /^extract-flights-2025-01-\w+: 2025_1.zip: the server answers 503$/);
});
