import { join } from 'node:path';
import test from 'ava';
import { UnrecoverableError } from 'bullmq';
import { openOperations } from '../../../jobs/queue/operations.ts';
import { requestBackfill } from '../../../jobs/queue/backfill-jobs.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';
import { until } from '../helpers/command.ts';
import { aReport } from '../helpers/fake-steps.ts';
import { queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const BASE = 'http://127.0.0.1:9/PREZIP';
const SOURCE = { kind: 'url', base: BASE } as const;

test('a worker executes operators’ requests and records them in the ledger with the operator', async (t) => {
  const { redis, queues, work } = await queueWorld(t);
  const lockFile = join(await tempDir(t), 'backfill.lock');
  const runs: Run[] = [];
  const [extracted, loaded]: [string[], string[]] = [[], []];
  let isBroken = true;
  let nightlyRuns = 0;
  await work(
    {
      findMonths: async () => ({ base: BASE, searched: [], out: [], weather: [] }),
      buildFeatures: async () => {
        nightlyRuns += 1;
        return { rows: {}, checks: [] };
      },
      isTrainingDue: async () => false,
      publishStore: async () => ({ version: 'v1', isNew: false }) as never,
      extractMonth: async ({ month }) => {
        if (isBroken && month === '2025-02') throw new UnrecoverableError(`${month} is truncated`);
        extracted.push(month);
        return { ...aReport(`${month}.zip`, [month]), month, outcome: 'written' } as never;
      },
      loadMonths: async (months) => {
        loaded.push(...months);
        return { months, flights: 10 };
      },
    },
    undefined,
    {
      monthSources: { flights: SOURCE, weather: SOURCE, lockFile },
      ledger: {
        record: async (run) => void runs.push(run),
        codeVersion: 'test',
        now: () => new Date(),
        randomLetters: () => 'abc',
      },
    },
  );
  const operations = openOperations(redis.url, []);
  t.teardown(operations.close);
  const inputs = () =>
    runs.filter(({ step }) => step === 'request').map((run) => run.inputs[0]?.name);

  await operations.enqueue({ kind: 'nightly' }, 'hw_live_admin1');
  await until('the nightly run', () => nightlyRuns === 1);
  const months = { from: '2025-01', to: '2025-02', force: false, publish: false };
  await operations.enqueue({ kind: 'backfill', ...months }, 'hw_live_admin1');
  const failed = async () => (await operations.readState()).queues.flatMap((queue) => queue.failed);
  await until('both months ended', async () => (await failed()).length === 2);
  t.deepEqual(extracted, ['2025-01']);
  const [failedJob] = (await failed()).filter(({ name }) => name === 'extract-month');
  t.like(failedJob, { attempts: 1, why: '2025-02 is truncated' });
  const load = (failedJob?.id ?? '').replace('extract', 'load');
  t.regex(load, /^load-flights-2025-02-[0-9a-f]{12}$/);

  isBroken = false;
  const retry = { kind: 'retry', queue: 'warehouse', id: load } as const;
  await operations.enqueue(retry, 'make run');
  await until('the month is loaded', () => loaded.includes('2025-02'));
  t.deepEqual(await failed(), []);
  t.deepEqual(extracted, ['2025-01', '2025-02']);
  t.deepEqual(inputs(), [
    'nightly, requested by hw_live_admin1',
    'backfill 2025-01 to 2025-02, requested by hw_live_admin1',
    `retry ${load}, requested by make run`,
  ]);

  await operations.enqueue(retry, 'make run');
  await until('the refused retry', () => inputs().length === 4);
  t.like(
    runs.findLast(({ step }) => step === 'request'),
    { outcome: 'failed', error: `${load} has not failed` },
  );
  // A command can request the same months again.
  const request = { months: ['2025-02'], source: SOURCE, force: false };
  t.truthy((await requestBackfill(queues, request, lockFile)).parent);
});

test('three different requests made at once all run, and each returns its own result', async (t) => {
  const { redis, queues, work } = await queueWorld(t);
  const lockFile = join(await tempDir(t), 'backfill.lock');
  const extracted = new Set<string>();
  let searches = 0;
  let nightlyRuns = 0;
  const operations = openOperations(redis.url, []);
  t.teardown(operations.close);
  const backfill = { kind: 'backfill', force: false, publish: false } as const;
  const requests = await Promise.all([
    operations.enqueue({ ...backfill, from: '2020-01', to: '2024-12' }, 'hw_live_admin1'),
    operations.enqueue({ kind: 'nightly' }, 'hw_live_admin1'),
    operations.enqueue({ ...backfill, from: '2025-03', to: '2025-03' }, 'hw_live_admin1'),
  ]);
  await work(
    {
      findMonths: async () => {
        searches += 1;
        return { base: BASE, searched: [], out: [], weather: [] };
      },
      buildFeatures: async () => {
        nightlyRuns += 1;
        return { rows: {}, checks: [] };
      },
      isTrainingDue: async () => false,
      publishStore: async () => ({ version: 'v1', isNew: false }) as never,
      extractMonth: async ({ month }) => {
        extracted.add(month);
        return { month, outcome: 'done', rowsLoaded: 1, rowsRejected: 0 };
      },
      loadMonths: async (months) => ({ months, flights: 10 }),
    },
    undefined,
    { monthSources: { flights: SOURCE, weather: SOURCE, lockFile } },
  );
  const jobsOf = async (id: string) => {
    const job = await queues.queue('live').getJob(id);
    return (job?.returnvalue as { jobs: string[] } | null)?.jobs;
  };
  await until('all requests ended', async () =>
    (await Promise.all(requests.map(jobsOf))).every(Boolean),
  );
  const [years, nightly, month] = await Promise.all(requests.map(jobsOf));
  t.regex(years?.join(' ') ?? '', /^backfill-2020-01-2024-12-[0-9a-f]{12}$/);
  t.deepEqual(nightly, ['look-for-months', 'nightly']);
  t.regex(month?.join(' ') ?? '', /^backfill-2025-03-2025-03-[0-9a-f]{12}$/);
  await until('all months are extracted', () => extracted.size === 61);
  t.true(extracted.has('2025-03'));
  await until('the search and the nightly run', () => searches === 1 && nightlyRuns === 1);
});

test('when an operator retries a failed month of a backfill with publish, the month is published', async (t) => {
  const { redis, work } = await queueWorld(t);
  const lockFile = join(await tempDir(t), 'backfill.lock');
  const calls: string[] = [];
  let isBroken = true;
  await work(
    {
      buildFeatures: async () => {
        calls.push('nightly');
        return { rows: {}, checks: [] };
      },
      isTrainingDue: async () => false,
      publishStore: async () => ({ version: 'v1', isNew: false }) as never,
      extractMonth: async ({ month }) => {
        if (isBroken) throw new UnrecoverableError(`${month} is truncated`);
        return { month, outcome: 'done', rowsLoaded: 1, rowsRejected: 0 };
      },
      loadMonths: async (months) => {
        calls.push(`load ${months.join(' ')}`);
        return { months, flights: 10 };
      },
    },
    undefined,
    { monthSources: { flights: SOURCE, weather: SOURCE, lockFile } },
  );
  const operations = openOperations(redis.url, []);
  t.teardown(operations.close);
  const months = { from: '2025-01', to: '2025-01', force: false, publish: true };
  await operations.enqueue({ kind: 'backfill', ...months }, 'hw_live_admin1');
  await until('the nightly run without the month', () => calls.length === 1);
  isBroken = false;
  const { queues } = await operations.readState();
  const failedJob = queues
    .flatMap(({ failed }) => failed)
    .find(({ name }) => name === 'extract-month');
  await operations.enqueue(
    { kind: 'retry', queue: 'extract', id: failedJob?.id ?? '' },
    'hw_live_admin1',
  );
  await until('the nightly run with the month', () => calls.length === 3);
  t.deepEqual(calls, ['nightly', 'load 2025-01', 'nightly']);
});

test('unreachable queues are an error after a deadline', async (t) => {
  const operations = openOperations('redis://127.0.0.1:9', []);
  t.teardown(operations.close);
  await t.throwsAsync(operations.readState(), { name: 'RedisUnavailableError' });
});
