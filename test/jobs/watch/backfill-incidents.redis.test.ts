import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { requestBackfill } from '../../../jobs/queue/backfill-jobs.ts';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { readIncidents } from '../../../warehouse/live/incidents.ts';
import { until } from '../helpers/command.ts';
import { aReport } from '../helpers/fake-steps.ts';
import { aListener, SECRET } from '../helpers/notice-listener.ts';
import { IDLE_KEYRING, queueWorld } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** A worker whose months of 2025 fail until `mend`, and a listener for notices. */
async function aBackfill(t: ExecutionContext) {
  const { queues, work, follow, redis: server } = await queueWorld(t);
  const redis = new Redis(server.url);
  t.teardown(() => redis.disconnect());
  const dir = await tempDir(t);
  const { received, url } = await aListener(t);
  const now = () => new Date();
  const watch = createJobWatch({
    redis,
    hook: createWebhook({ url, secret: SECRET }, now, { pauseMs: 1 }),
    log: pino({ level: 'silent' }),
    now,
  });
  let isMended = false;
  const steps = {
    extractMonth: async ({ month }: { month: string }) => {
      if (month.startsWith('2025') && !isMended) throw new SourceFormatError(month, 'is no zip');
      return { month, outcome: 'done' as const, rowsLoaded: 1, rowsRejected: 0 };
    },
    loadMonths: async (months: string[]) => ({ months, flights: 1 }),
  };
  await work(steps, IDLE_KEYRING, { watch });
  const backfill = async (...months: string[]) => {
    const request = { months, source: { kind: 'folder', path: '/f' }, force: false } as const;
    const { parent } = await requestBackfill(queues, { ...request, months }, join(dir, 'lock'));
    await follow(parent);
    await watch.waitUntilDone();
  };
  const mend = () => {
    isMended = true;
  };
  return { backfill, mend, received, redis, watch };
}

test('a backfill with several failed months sends one notice with all of them, and one when they are loaded', async (t) => {
  const { backfill, mend, received, redis } = await aBackfill(t);
  await backfill('2024-12', '2025-01', '2025-02');
  await until('the notice is sent', () => received.length > 0);
  t.deepEqual(
    received.map(({ type, text }) => [type, text]),
    [
      [
        'backfill.failed',
        'backfill 2024-12 to 2025-02: 2 of 3 months failed. 2025-01: 2025-01: is no zip; 2025-02: 2025-02: is no zip',
      ],
    ],
  );
  mend();
  await backfill('2025-01');
  const [incident] = await readIncidents(redis);
  t.is(incident?.key, 'backfill 2024-12 to 2025-02');
  t.is(received.length, 1);
  await backfill('2025-02');
  await until('the end is sent', () => received.length === 2);
  t.is(received[1]?.type, 'backfill.failed.over');
  t.deepEqual(await readIncidents(redis), []);
});

test('an ingested file with the failed months ends the incident of their backfill', async (t) => {
  const { backfill, redis, watch } = await aBackfill(t);
  await backfill('2025-01', '2025-02');
  const file = { name: 'extract-file', data: {} };
  watch.done(file, aReport('a.csv', ['2025-01', '2025-02'], ['2025-02']));
  await watch.waitUntilDone();
  t.deepEqual(
    (await readIncidents(redis)).map(({ kind }) => kind),
    ['backfill.failed', 'month.refused'],
  );
  watch.done(file, aReport('a.csv', ['2025-02']));
  await watch.waitUntilDone();
  t.deepEqual(await readIncidents(redis), []);
});

test('after more than five failed months, a notice only names the others', async (t) => {
  const { backfill, received } = await aBackfill(t);
  await backfill(...['01', '02', '03', '04', '05', '06', '07'].map((month) => `2025-${month}`));
  await until('the notice is sent', () => received.length > 0);
  t.regex(received[0]?.text ?? '', /7 of 7 months failed.*; also failed: 2025-06, 2025-07$/);
});
