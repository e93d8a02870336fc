import { join } from 'node:path';
import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openOperations } from '../../../jobs/queue/operations.ts';
import { requestBackfill } from '../../../jobs/queue/backfill-jobs.ts';
import { jobFields, recordLine } from '../../../jobs/processes/job-journal.ts';
import { createLedger } from '../../../jobs/wiring/ledger.ts';
import { listRunIds, readRuns, runFile } from '../../../warehouse/lake/ledger.ts';
import { readOpsRun } from '../../../warehouse/live/ops-runs.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import { rm } from 'node:fs/promises';
import { until } from '../helpers/command.ts';
import { aHealthWatch } from '../helpers/health-watch.ts';
import { IDLE_KEYRING, queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('the runs of a backfill name their jobs, attempts, parents and log lines, and reach the pages', async (t) => {
  const { redis: server, queues, work } = await queueWorld(t);
  const dir = await tempDir(t);
  const paths = dataPaths(dir);
  const log = pino({ mixin: jobFields }, { write: recordLine });
  const steps = {
    extractMonth: async ({ month }: { month: string }, progress: Progress) => {
      progress(1, 2, 'checked a.zip');
      log.warn({ month }, 'the server is slow');
      throw new Error('connection reset');
    },
  };
  await work(steps, IDLE_KEYRING, { log, ledger: createLedger(paths, 'v1') });
  const { parent, months: jobs } = await requestBackfill(
    queues,
    { months: ['2025-03'], source: { kind: 'folder', path: '/f' }, force: false },
    join(dir, 'lock'),
  );
  const [{ extract, load }] = jobs as [(typeof jobs)[number]];
  // The waits between six attempts would take minutes.
  await until('the first attempt failed', async () => (await listRunIds(paths.runsDir)).length > 0);
  const job = await queues.queue('extract').getJob(extract.id);
  await until('it waits', async () => (await job?.isDelayed()) === true);
  await job?.promote();
  await until('a second attempt', async () => (await listRunIds(paths.runsDir)).length > 1);
  const [first, second] = await readRuns(paths.runsDir, await listRunIds(paths.runsDir));
  t.like(first, { step: 'job', outcome: 'failed', error: 'connection reset' });
  t.deepEqual(first?.job, {
    ...{ queue: 'extract', id: extract.id, attempt: 1, attempts: 6 },
    parent: load.id,
  });
  t.is(second?.job?.attempt, 2);
  t.deepEqual(
    first?.log?.map(({ level, text }) => [level, text]),
    [
      ['info', 'job started'],
      ['warn', 'the server is slow · month=2025-03'],
    ],
  );
  t.is(first?.parts?.[0]?.name, 'checked a.zip');
  const operations = openOperations(server.url, []);
  t.teardown(operations.close);
  const state = await operations.readJob('extract', extract.id);
  t.deepEqual(state?.errors, ['connection reset', 'connection reset']);
  const { children } = (await operations.readJob('warehouse', load.id))!;
  t.deepEqual(children, [{ queue: 'extract', id: extract.id }]);
  t.is((await operations.readJob('extract', parent.id))?.state, 'waiting-children');
  t.is(await operations.readJob('extract', 'unknown'), undefined);
  t.is(await operations.readJob('no-queue', extract.id), undefined);
});

test('the pages have the newest runs only, and read each run once', async (t) => {
  const { redis: server } = await queueWorld(t);
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const dir = await tempDir(t);
  const paths = dataPaths(dir);
  const ledger = createLedger(paths, 'v1');
  const now = new Date().toISOString();
  const record = (id: string) =>
    ledger.record({
      ...{ id, step: 'load', outcome: 'done', startedAt: now, finishedAt: now },
      ...{ codeVersion: 'v1', inputs: [{ name: '2025-03', sha256: 'abc' }] },
    });
  const [old, recent] = ['20260101T000000000Z-load-aaaaaa', '20260102T000000000Z-load-bbbbbb'];
  await record(old);
  await redis.hset('hw:ops:runs', 'folded-run', '{}');
  const write = async () => {
    const health = aHealthWatch(t, { redis, url: server.url, dataDir: dir });
    await health.judge();
    await health.close();
  };
  await write();
  t.is(await readOpsRun(redis, 'folded-run'), undefined);
  t.like(await readOpsRun(redis, old), { inputs: [{ name: '2025-03', sha256: 'abc' }] });
  await redis.hset('hw:ops:runs', old, JSON.stringify({ id: 'not read again' }));
  await record(recent);
  await write();
  t.is((await readOpsRun(redis, old))?.id, 'not read again');
  t.is((await readOpsRun(redis, recent))?.id, recent);
  await rm(join(paths.runsDir, runFile(old)));
  await write();
  t.is(await readOpsRun(redis, old), undefined);
});
