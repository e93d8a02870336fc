import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { requestBackfill } from '../../../jobs/queue/backfill-jobs.ts';
import type { BackfillJobs } from '../../../jobs/queue/backfill-jobs.ts';
import type { BackfillRequest } from '../../../jobs/queue/month-jobs.ts';
import { followMonths } from '../../../jobs/cli/follow-months.ts';
import { findJob } from '../../../jobs/queue/queues.ts';
import { SourceFormatError, SourceOutageError } from '../../../pipelines/errors.ts';
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
    ended: () => undefined,
    busy: () => undefined,
    retried: (job: { id?: string; failedReason: string }) =>
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
    ends: async ({ months }: BackfillJobs) => {
      const signal = AbortSignal.timeout(120_000);
      const ends = await followMonths(months, watcher, { queues: world.queues, signal });
      return ends.map(({ month, result, failure }) => `${month} ${failure ?? result.outcome}`);
    },
  };
}

const done = ({ month }: MonthRequest): MonthResult => ({
  month,
  outcome: 'done',
  rowsLoaded: 10,
  rowsRejected: 0,
});

/** Steps that write down what they do. */
function noting(extractMonth: (request: MonthRequest) => Promise<MonthResult> | MonthResult) {
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
  const { request, ends, work, follow } = await aWorld(t);
  const jobs = await request('2025-01', '2025-02');
  const { extract, load } = jobs.months[0]!;
  t.deepEqual([extract.queue, load.queue], ['extract', 'warehouse']);
  t.regex(extract.id, /^extract-flights-2025-01-[0-9a-f]{12}$/);
  t.is(load.id, extract.id.replace('extract', 'load'));
  t.regex(jobs.parent.id, /^backfill-2025-01-2025-02-[0-9a-f]{12}$/);
  const { calls, steps } = noting(done);
  await work(steps);
  t.deepEqual(await ends(jobs), ['2025-01 done', '2025-02 done']);
  t.deepEqual(calls.toSorted(), [
    'extract 2025-01',
    'extract 2025-02',
    'load 2025-01',
    'load 2025-02',
  ]);
  t.deepEqual(await follow(jobs.parent), { done: 2, skipped: 0, failed: 0 });
});

test('a month that fails or is not out does not keep the others from being loaded', async (t) => {
  const { request, ends, work, follow } = await aWorld(t);
  const { calls, steps } = noting((asked) => {
    if (asked.month === '2025-02') throw new SourceFormatError('2025_2.zip', 'holds 2024-02');
    if (asked.month === '2025-03') return { ...done(asked), outcome: 'absent' };
    return done(asked);
  });
  await work(steps);
  const jobs = await request('2025-01', '2025-04');
  t.deepEqual(await ends(jobs), [
    '2025-01 done',
    '2025-02 2025_2.zip: holds 2024-02',
    '2025-03 absent',
    '2025-04 done',
  ]);
  t.deepEqual(calls.filter((call) => call.startsWith('load')).toSorted(), [
    'load 2025-01',
    'load 2025-04',
  ]);
  t.deepEqual(await follow(jobs.parent), { done: 2, skipped: 1, failed: 1 });
});

test('two who ask for the same months at the same time get them done once', async (t) => {
  const { request, ends, work } = await aWorld(t);
  const [one, other] = await Promise.all([
    request('2025-01', '2025-03'),
    request('2025-02', '2025-04'),
  ]);
  const again = await request('2025-03', '2025-03');
  const { calls, steps } = noting(done);
  await Promise.all([work(steps), work(steps)]);
  t.deepEqual(await ends(one), ['2025-01 done', '2025-02 done', '2025-03 done']);
  t.deepEqual(await ends(other), ['2025-02 done', '2025-03 done', '2025-04 done']);
  t.deepEqual(await ends(again), ['2025-03 done']);
  t.deepEqual(calls.filter((call) => call.startsWith('extract')).toSorted(), [
    'extract 2025-01',
    'extract 2025-02',
    'extract 2025-03',
    'extract 2025-04',
  ]);
});

test('a back-fill that came to its end runs again when asked for again', async (t) => {
  const { request, ends, work, follow } = await aWorld(t);
  let isBroken = true;
  const { calls, steps } = noting((asked) => {
    const isRefused = isBroken && asked.month === '2025-02';
    if (isRefused) throw new SourceFormatError('2025_2.zip', 'is empty');
    return done(asked);
  });
  await work(steps);
  const first = await request('2025-01', '2025-02');
  t.deepEqual(await ends(first), ['2025-01 done', '2025-02 2025_2.zip: is empty']);
  isBroken = false;
  const second = await request('2025-01', '2025-02');
  t.deepEqual(await ends(second), ['2025-01 done', '2025-02 done']);
  t.deepEqual(await follow(second.parent), { done: 2, skipped: 0, failed: 0 });
  t.is(calls.filter((call) => call.startsWith('extract')).length, 4);
});

test('a back-fill that is not finished is gone on with, its finished months kept', async (t) => {
  const { request, ends, work, queues } = await aWorld(t);
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const { calls, steps } = noting(async (asked) => {
    if (asked.month !== '2025-01') await held;
    return done(asked);
  });
  // Two, for the held months take up both places of one.
  await Promise.all([work(steps), work(steps)]);
  const first = await request('2025-01', '2025-03');
  const january = first.months[0]!.load;
  await until('one is loaded', async () => Boolean((await findJob(queues, january))?.returnvalue));
  const second = await request('2025-01', '2025-03');
  t.deepEqual(second.parent, first.parent);
  // One of its months asked for on its own does not take it away from the back-fill.
  t.deepEqual(await ends(await request('2025-01', '2025-01')), ['2025-01 done']);
  letGo();
  t.deepEqual(await ends(second), ['2025-01 done', '2025-02 done', '2025-03 done']);
  await until('the parent ends', async () => {
    const parent = await findJob(queues, first.parent);
    return (parent?.returnvalue as { done: number } | null)?.done === 3;
  });
  t.is(calls.filter((call) => call === 'extract 2025-02').length, 1);
});

test('after an outage the month is tried again, not before the server said so', async (t) => {
  const { request, ends, work, notes } = await aWorld(t);
  const at: number[] = [];
  const { steps } = noting((asked) => {
    at.push(Date.now());
    if (at.length > 1) return done(asked);
    throw new SourceOutageError('2025_1.zip', 'the server answers 503', { retryAfterMs: 2_500 });
  });
  await work(steps);
  t.deepEqual(await ends(await request('2025-01', '2025-01')), ['2025-01 done']);
  t.true(at[1]! - at[0]! >= 2_490);
  t.is(notes.length, 1);
  t.regex(notes[0]!, /^extract-flights-2025-01-\w+: 2025_1.zip: the server answers 503$/);
});
