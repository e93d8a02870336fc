import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { serve } from '../../../api/server/serve.ts';
import { readConfig } from '../../../jobs/config.ts';
import { schedulesOf } from '../../../jobs/queue/schedules.ts';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { createKeystore } from '../../../warehouse/keyring/keystore.ts';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import { openQueues } from '../../../jobs/queue/queues.ts';
import { startWorkers } from '../../../jobs/queue/worker.ts';
import { btsFileName } from '../../../pipelines/flights/months.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { fakeBts } from '../../helpers/fake-bts.ts';
import { until } from '../helpers/command.ts';
import { monthCsv } from '../helpers/months.ts';
import { pipelineWorld } from '../helpers/pipeline-world.ts';
import { IDLE_KEYRING } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const FLIGHT = { origin: 'JFK', dest: 'LAX', airline: 'DL' };
const AWAY = { status: 503 };

/** Asks the API for a flight; the version of the store it is of comes with it. */
async function aScoreApi(t: ExecutionContext, url: string, redis: Redis) {
  const dataDir = await tempDir(t);
  const plain = { port: 0, host: '127.0.0.1', workers: 1, explains: false, requestLinesPerS: 0 };
  const api = await serve({ ...plain, redisUrl: url, dataDir, logLevel: 'silent' });
  t.teardown(api.close);
  const key = { name: 'A shop', email: 'shop@example.com', monthlyLimit: 1_000 };
  const { apiKey } = await createKeystore(redis, { deadlineMs: 10_000 }).create(
    key,
    'test',
    new Date(),
  );
  const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ ...FLIGHT, date, api_key: apiKey });
  return async () => {
    const answer = await fetch(`http://127.0.0.1:${api.port}/api/score?${query}`);
    const { stats, ...rest } = (await answer.json()) as { stats?: { n_flights: number } };
    if (answer.status !== 200 && answer.status !== 503) t.fail(JSON.stringify(rest));
    return { version: answer.headers.get('x-store-version'), flights: stats?.n_flights };
  };
}

/** Has the next run of a schedule come now, and the retries of what fails, as if their time had passed. */
async function passADay(queue: Queue): Promise<void> {
  const next = await queue.getJobScheduler('months');
  const id = `repeat:months:${next?.next}`;
  await (await queue.getJob(id))?.promote();
  await until('the day is over', async () => {
    const job = await queue.getJob(id);
    if ((await job?.getState()) === 'delayed') await job?.promote().catch(() => undefined);
    return job?.finishedOn !== undefined;
  });
}

test('a month comes out each day: nobody types anything, answers change, and a day without the server is told once', async (t) => {
  const bts = await fakeBts(t);
  const { url, redis, dataDir, paths, runs } = await pipelineWorld(t, '');
  let today = '2026-11-20';
  const now = () => new Date(`${today}T01:10:00Z`);
  const config = { dataDir, codeVersion: 'test', offline: false, btsBaseUrl: bts.url, now };
  const steps = createSteps(config, redis);
  const source = { kind: 'url', base: bts.url } as const;
  const places = { flights: source, weather: source, lockFile: join(dataDir, 'backfill.lock') };
  const log = pino({ level: 'silent' });
  const notices: string[] = [];
  const send = async ({ type, text }: { type: string; text: string }) =>
    void notices.push(`${type}: ${text}`);
  const hook = { address: 'here', send };
  const watch = createJobWatch({ redis, paths, hook, staleness: async () => [], log, now });
  const months = schedulesOf(readConfig({}).schedule).filter(({ id }) => id === 'months');
  const workers = await startWorkers(url, {
    // Training is no part of it: 200 flights a month teach nothing.
    steps: { ...steps, isTrainingDue: async () => false },
    ...{ keyring: IDLE_KEYRING, log, places, watch, redis, schedules: months },
  });
  t.teardown(async () => void (await workers.close(5_000)));
  const queues = openQueues(url);
  t.teardown(queues.close);
  const ask = await aScoreApi(t, url, redis);
  const published = async () => (await readFromDisk(paths.storeDir))?.manifest.months ?? [];

  const expected: string[] = [];
  const answers: Awaited<ReturnType<typeof ask>>[] = [await ask()];
  const DAYS = ['2025-11', 'the server is away', '2025-12', '2026-01'];
  for (const [day, month] of DAYS.entries()) {
    today = `2026-11-${20 + day}`;
    const isAway = day === 1;
    if (isAway) bts.trouble(btsFileName('2025-12'), ...Array.from({ length: 6 }, () => AWAY));
    else bts.put(btsFileName(month), monthCsv(month));
    await passADay(queues.queue('extract'));
    await watch.settled();
    if (isAway) {
      t.deepEqual(await ask(), answers.at(-1));
      t.is(notices.length, 1);
      continue;
    }
    expected.push(month);
    await until(`${month} is served`, async () => {
      const { version } = await ask();
      return version !== null && version !== answers.at(-1)?.version;
    });
    answers.push(await ask());
    t.deepEqual(await published(), expected);
    await until(
      'the night is over',
      async () => (await queues.queue('warehouse').getActiveCount()) === 0,
    );
  }
  t.deepEqual(
    answers.map(({ flights }) => flights),
    [undefined, 67, 134, 201],
  );
  t.deepEqual(
    notices.map((notice) => notice.replace(/http\S+/, '…')),
    [
      'job.failed: look-for-months failed: … the server answers 503',
      'job.failed.over: Well again: job look-for-months',
    ],
  );
  const day = ['extract done', 'load done', 'build done', 'publish done'];
  t.deepEqual(
    (await runs()).map(({ step, outcome }) => `${step} ${outcome}`),
    [...day, ...day, ...day],
  );
});
