import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { serve } from '../../../api/server/serve.ts';
import { readConfig } from '../../../jobs/config.ts';
import { schedulesOf } from '../../../jobs/queue/schedules.ts';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { UNLIMITED } from '../../../warehouse/keyring/format.ts';
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
const OUTAGE = { status: 503 };

/**
 * Starts an API. Returns a function that scores a flight and returns the store's version and the number of flights
 * behind the score.
 */
async function aScoreApi(t: ExecutionContext, url: string, redis: Redis) {
  const dataDir = await tempDir(t);
  const settings = {
    port: 0,
    host: '127.0.0.1',
    workers: 1,
    isExplainEnabled: false,
    requestLinesPerS: 0,
  };
  const api = await serve({ ...settings, redisUrl: url, dataDir, logLevel: 'silent' });
  t.teardown(api.close);
  // The test polls with this key, so the limit must not be reached on a slow machine.
  const key = { name: 'A shop', email: 'shop@example.com', monthlyLimit: UNLIMITED };
  const { apiKey } = await createKeystore(redis, { deadlineMs: 60_000 }).create(
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

/** Starts the next run of the schedule and its retries now, as if they were due. */
async function passADay(queue: Queue): Promise<void> {
  const next = await queue.getJobScheduler('months');
  const id = `repeat:months:${next?.next}`;
  await (await queue.getJob(id))?.promote();
  await until('the search ends', async () => {
    const job = await queue.getJob(id);
    if ((await job?.getState()) === 'delayed') await job?.promote().catch(() => undefined);
    return job?.finishedOn !== undefined;
  });
}

test('each new month changes the scores without any command, and an outage of the server is reported once', async (t) => {
  const bts = await fakeBts(t);
  const { url, redis, dataDir, paths, runs } = await pipelineWorld(t, '');
  let today = '2026-11-20';
  const now = () => new Date(`${today}T01:10:00Z`);
  const config = { dataDir, codeVersion: 'test', offline: false, btsBaseUrl: bts.url, now };
  const steps = createSteps(config, redis);
  const source = { kind: 'url', base: bts.url } as const;
  const monthSources = {
    flights: source,
    weather: source,
    lockFile: join(dataDir, 'backfill.lock'),
  };
  const log = pino({ level: 'silent' });
  const notices: string[] = [];
  const send = async ({ type, text }: { type: string; text: string }) =>
    void notices.push(`${type}: ${text}`);
  const hook = { address: 'here', send };
  const watch = createJobWatch({ redis, hook, log, now });
  const months = schedulesOf(readConfig({}).schedule).filter(({ id }) => id === 'months');
  const workers = await startWorkers(url, {
    // Without training: 200 flights a month are too few.
    steps: { ...steps, isTrainingDue: async () => false },
    ...{ keyring: IDLE_KEYRING, log, monthSources, watch, redis },
    ...{ schedules: months, isService: true },
  });
  t.teardown(async () => void (await workers.close(5_000)));
  const queues = openQueues(url);
  t.teardown(queues.close);
  const readScore = await aScoreApi(t, url, redis);
  const published = async () => (await readFromDisk(paths.storeDir))?.manifest.months ?? [];

  const expected: string[] = [];
  const answers: Awaited<ReturnType<typeof readScore>>[] = [await readScore()];
  const DAYS = ['2025-11', 'the server is down', '2025-12', '2026-01'];
  for (const [day, month] of DAYS.entries()) {
    today = `2026-11-${20 + day}`;
    const isDown = day === 1;
    if (isDown) bts.failNext(btsFileName('2025-12'), ...Array.from({ length: 6 }, () => OUTAGE));
    else bts.put(btsFileName(month), monthCsv(month));
    await passADay(queues.queue('extract'));
    await watch.waitUntilDone();
    if (isDown) {
      t.deepEqual(await readScore(), answers.at(-1));
      t.is(notices.length, 1);
      continue;
    }
    expected.push(month);
    await until(`${month} is served`, async () => {
      const { version } = await readScore();
      return version !== null && version !== answers.at(-1)?.version;
    });
    answers.push(await readScore());
    t.deepEqual(await published(), expected);
    await until(
      'the nightly run ends',
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
      'job.failed.over: Resolved: job look-for-months',
    ],
  );
  const day = ['extract done', 'load done', 'build done', 'publish done'];
  t.deepEqual(
    (await runs()).map(({ step, outcome }) => `${step} ${outcome}`),
    [...day, ...day, ...day],
  );
});
