import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { ingestInbox, type InboxData } from '../../../jobs/queue/handlers/ingest-inbox.ts';
import { watchInbox } from '../../../jobs/queue/inbox.ts';
import {
  signalsOfFailed,
  signalsOfDone,
  type Signal,
  type WatchedJob,
} from '../../../jobs/watch/incidents-of-jobs.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import { readInboxFiles } from '../../../warehouse/live/inbox.ts';
import { until } from '../helpers/command.ts';
import { aReport } from '../helpers/fake-steps.ts';
import { IDLE_KEYRING, queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** An inbox that is watched twice, as by two workers. Extracts refuse files whose content begins with `bad`. */
async function anInbox(t: ExecutionContext, changes: Partial<PipelineSteps> = {}) {
  const { redis: server, queues, work } = await queueWorld(t);
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const folder = join(await tempDir(t), 'inbox');
  await mkdir(folder);
  const extracts: string[] = [];
  const signals: Signal[] = [];
  const watch = {
    done: (job: WatchedJob, result: unknown) => void signals.push(...signalsOfDone(job, result)),
    failed: (job: WatchedJob, error: Error) => void signals.push(...signalsOfFailed(job, error)),
  };
  const steps: Partial<PipelineSteps> = {
    extractFile: async ({ path }) => {
      const text = await readFile(path, 'utf8');
      extracts.push(text);
      if (text.startsWith('bad')) throw new SourceFormatError('file', 'unknown header');
      const refused = text.startsWith('poor') ? ['2018-02'] : [];
      return aReport(path, ['2018-01', '2018-02'], refused);
    },
    loadMonths: async (months) => ({ months, flights: 1 }),
    ...changes,
  };
  const start = () => work(steps, IDLE_KEYRING, { redis, watch });
  const log = pino({ level: 'silent' });
  const startWatch = (settleMs = 60) => {
    const stop = watchInbox(folder, { queues, watch, log, pollMs: 20, settleMs });
    t.teardown(stop);
    return stop;
  };
  const list = async (name: string) => (await readdir(join(folder, name))).toSorted();
  const filesIn = async () =>
    (await readdir(folder, { withFileTypes: true }))
      .filter((one) => one.isFile())
      .map(({ name }) => name);
  return { folder, redis, queues, extracts, signals, start, startWatch, list, filesIn };
}

const opened = (signals: Signal[]) => signals.filter(({ isResolved }) => !isResolved);

test('a file is ingested once by two watchers and two workers, and moved with its months', async (t) => {
  const { folder, extracts, signals, start, startWatch, list, filesIn, redis } = await anInbox(t);
  await Promise.all([start(), start()]);
  startWatch();
  startWatch();
  await writeFile(join(folder, 'a.csv'), 'good');
  await writeFile(join(folder, 'a.csv.sha256'), 'hash');
  await until('the file is moved', async () => (await readInboxFiles(redis)).length > 0);
  t.deepEqual(extracts, ['good']);
  t.deepEqual(await filesIn(), []);
  const [moved = '', ...others] = await list('done');
  t.regex(moved, /^\d{8}T\d{6}Z-a\.csv$/);
  t.deepEqual(others, [`${moved}.sha256`, `${moved}.txt`]);
  const why = await readFile(join(folder, 'done', `${moved}.txt`), 'utf8');
  t.is(why, '2018-01 loaded, 100 rows\n2018-02 loaded, 100 rows\n');
  t.like((await readInboxFiles(redis))[0], { name: 'a.csv', outcome: 'done' });
  t.deepEqual(opened(signals), []);
});

test('a refused file and a file with a refused month are one notice each, until a file of that name is loaded', async (t) => {
  const { folder, signals, start, startWatch, list, redis } = await anInbox(t);
  await start();
  startWatch();
  await writeFile(join(folder, 'a.csv'), 'bad');
  await writeFile(join(folder, 'b.csv'), 'poor');
  await until('both are moved', async () => (await readInboxFiles(redis)).length === 2);
  await until('both are reported', () => opened(signals).length === 2);
  const texts = opened(signals).flatMap((signal) => ('text' in signal ? signal.text : []));
  t.deepEqual(texts.toSorted(), [
    'a.csv of the inbox was refused: file: unknown header',
    'b.csv of the inbox was refused: 2018-01 loaded, 100 rows; 2018-02 refused, the month in the lake is unchanged: ',
  ]);
  t.is((await list('refused')).length, 4);
  await writeFile(join(folder, 'a.csv'), 'better');
  const isOver = ({ key, isResolved }: Signal) => key === 'inbox a.csv' && isResolved;
  await until('the incident is over', () => signals.some(isOver));
  t.is((await list('done')).length, 2);
});

test('a file that is still being written, a hidden file and a partial file are not taken', async (t) => {
  const { folder, extracts, start, startWatch, filesIn, redis } = await anInbox(t);
  await start();
  // Much longer than the pauses of the writer, also on a machine that stalls.
  startWatch(5_000);
  for (const name of ['.hidden.csv', 'x.csv.part', 'y.PART']) {
    await writeFile(join(folder, name), 'x');
  }
  await mkdir(join(folder, 'subfolder'));
  for (let row = 0; row < 12; row++) {
    await appendFile(join(folder, 'slow.csv'), `row ${row}\n`);
    await new Promise((resolve) => setTimeout(resolve, 60));
    t.deepEqual(extracts, []);
  }
  await until('the file is moved', async () => (await readInboxFiles(redis)).length === 1);
  t.is(extracts.length, 1);
  t.true(extracts[0]?.endsWith('row 11\n'));
  t.deepEqual((await filesIn()).toSorted(), ['.hidden.csv', 'x.csv.part', 'y.PART']);
  await rename(join(folder, 'x.csv.part'), join(folder, 'x.csv'));
  await until('the renamed file is moved', async () => (await readInboxFiles(redis)).length === 2);
});

test('a file that changes while it is extracted stays, and its new content is ingested too', async (t) => {
  let isFirst = true;
  const world = await anInbox(t, {
    extractFile: async ({ path }) => {
      world.extracts.push(await readFile(path, 'utf8'));
      if (isFirst) await appendFile(path, ' and more');
      isFirst = false;
      return aReport(path, ['2018-01']);
    },
  });
  await world.start();
  world.startWatch();
  await writeFile(join(world.folder, 'a.csv'), 'some');
  await until('it is moved', async () => (await readInboxFiles(world.redis)).length === 1);
  t.deepEqual(world.extracts, ['some', 'some and more']);
  const [moved = ''] = await world.list('done');
  t.is(await readFile(join(world.folder, 'done', moved), 'utf8'), 'some and more');
});

test('an inbox that cannot be read is an incident, until it can be read', async (t) => {
  const { folder, signals, startWatch } = await anInbox(t);
  await rm(folder, { recursive: true });
  startWatch();
  await until('the incident', () => opened(signals).length > 0);
  t.like(signals[0], { key: 'job inbox', kind: 'job.failed' });
  await mkdir(folder);
  await until('it is over', () => signals.some(({ isResolved }) => isResolved));
});

test('a worker that is killed after any step of a file continues without a second load and without losing the file', async (t) => {
  const { folder, extracts, queues, redis, start, list } = await anInbox(t);
  await start();
  const path = join(folder, 'a.csv');
  await writeFile(path, 'good');
  const { size, mtimeMs } = await stat(path);
  await mkdir(join(folder, 'done'));
  let killedAt: string | undefined = 'updateData';
  const job = {
    data: { path, size, mtimeMs } as InboxData,
    timestamp: Date.parse('2026-03-10T12:00:00.500Z'),
    token: 'token',
    updateData: async (data: InboxData) => {
      if (killedAt === 'updateData') throw new Error('killed');
      job.data = data;
    },
    moveToDelayed: async () => undefined,
  };
  const redisToKill = {
    ...{ hkeys: redis.hkeys.bind(redis), hdel: redis.hdel.bind(redis) },
    hset: async (...all: Parameters<Redis['hset']>) => {
      if (killedAt === 'hset') throw new Error('killed');
      return redis.hset(...all);
    },
  };
  const run = () => ingestInbox(job, { queues, redis: redisToKill as never });
  await t.throwsAsync(run(), { message: 'killed' });
  killedAt = 'hset';
  await until('it is killed after the move', async () => {
    const error = await run().catch((one: Error) => one);
    return error instanceof Error && error.message === 'killed';
  });
  t.deepEqual(await list('done'), ['20260310T120000Z-a.csv', '20260310T120000Z-a.csv.txt']);
  killedAt = undefined;
  t.like(await run(), { name: 'a.csv', outcome: 'done' });
  t.is((await readInboxFiles(redis)).length, 1);
  t.deepEqual(extracts, ['good']);
  t.is((await list('done')).length, 2);
});
