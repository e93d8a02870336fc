import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openQueues } from '../../../jobs/queue/queues.ts';
import { startWorkers } from '../../../jobs/queue/worker.ts';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { createLedger } from '../../../jobs/wiring/ledger.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';
import { readRuns, listRunIds } from '../../../warehouse/lake/ledger.ts';
import {
  acknowledgeIncidents,
  openIncident,
  readIncidents,
} from '../../../warehouse/live/incidents.ts';
import { SourceOutageError } from '../../../pipelines/errors.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';
import { aListener, SECRET } from '../helpers/notice-listener.ts';
import { aReport } from '../helpers/fake-steps.ts';
import { IDLE_KEYRING } from '../helpers/queue-world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

async function aWatch(t: ExecutionContext, answers?: number[]) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const paths = dataPaths(await tempDir(t));
  const { received, url: address } = await aListener(t, answers);
  const now = () => new Date();
  const log = pino({ level: 'silent' });
  const hook = createWebhook({ url: address, secret: SECRET }, now, { pauseMs: 1 });
  const watch = createJobWatch({ redis, hook, log, now });
  return { url, redis, paths, received, watch, log };
}

test('an outage of the server is reported once, and its end once; the ledger has every failure', async (t) => {
  const { url, redis, paths, received, watch, log } = await aWatch(t);
  let isDown = true;
  const findMonths = async () => {
    if (isDown) throw new SourceOutageError('bts', 'the server answers 503');
    return { searched: [], out: [], weather: [] };
  };
  const source = { kind: 'url', base: 'http://bts.example' } as const;
  const monthSources = { flights: source, weather: source, lockFile: paths.storeLock };
  const steps = { findMonths } as never;
  const ledger = createLedger(paths, 'test');
  const deps = { steps, keyring: IDLE_KEYRING, log, watch, monthSources, ledger };
  const workers = await startWorkers(url, deps);
  t.teardown(async () => void (await workers.close(1_000)));
  const queues = openQueues(url);
  t.teardown(queues.close);
  const queue = queues.queue('extract');
  const search = async () => {
    const endedBefore = (await queue.getFailedCount()) + (await queue.getCompletedCount());
    await queue.add('look-for-months', {}, { attempts: 1 });
    await until('the search ended', async () => {
      return (await queue.getFailedCount()) + (await queue.getCompletedCount()) > endedBefore;
    });
    await watch.waitUntilDone();
  };
  await search();
  await search();
  await until('the notice is sent', () => received.length === 1);
  t.like(received[0], {
    type: 'job.failed',
    text: 'look-for-months failed: bts: the server answers 503',
  });
  t.deepEqual(
    (await readIncidents(redis)).map(({ key }) => key),
    ['job look-for-months'],
  );
  isDown = false;
  await search();
  await until('the end is sent', () => received.length === 2);
  t.like(received[1], { type: 'job.failed.over', text: 'Resolved: job look-for-months' });
  await search();
  await watch.waitUntilDone();
  t.is(received.length, 2);
  t.deepEqual(await readIncidents(redis), []);
  const runs = await readRuns(paths.runsDir, await listRunIds(paths.runsDir));
  t.deepEqual(
    runs.map(({ step, outcome, error }) => [step, outcome, error]),
    [1, 2].map(() => ['job', 'failed', 'bts: the server answers 503']),
  );
});

test('a refused month is an incident until a file of it is accepted; a model is reported once', async (t) => {
  const { received, watch } = await aWatch(t);
  const file = { name: 'extract-file', id: 'extract-file-1', data: {} };
  const refused = aReport('a.csv', ['2018-01', '2018-02'], ['2018-02']);
  watch.done(file, refused);
  watch.done(file, refused);
  watch.done({ ...file, id: 'extract-file-2' }, aReport('b.csv', ['2018-02']));
  watch.done(
    { name: 'train', id: 'train', data: {} },
    { isReleased: false, why: 'not released: no skill' },
  );
  await watch.waitUntilDone();
  t.deepEqual(
    received.map(({ type, text }) => [type, text.split(':')[0]]),
    [
      ['month.refused', '2018-02 of a.csv was refused, the month in the lake is unchanged'],
      ['month.refused.over', 'Resolved'],
      ['model.refused', 'not released'],
    ],
  );
});

test('an acknowledged failure is removed without a notice of its end, and reported again if it returns', async (t) => {
  const { redis, received, watch } = await aWatch(t);
  const file = { name: 'extract-file', id: 'extract-file-1', data: { sha256: 'abc' } };
  const failOnce = async () => {
    watch.failed(file, new Error('unknown header'));
    await watch.waitUntilDone();
  };
  await failOnce();
  const stale = { key: 'stale data', kind: 'data.stale', text: 'old', since: '' } as const;
  await openIncident(redis, stale);
  const since = (await readIncidents(redis)).map((incident) => incident.since).toSorted()[1] ?? '';
  const before = new Date(Date.parse(since) - 1).toISOString();
  t.deepEqual(await acknowledgeIncidents(redis, before), [], 'the incident was not open yet');
  const acknowledged = await acknowledgeIncidents(redis, since);
  t.deepEqual(
    acknowledged.map(({ key }) => key),
    ['job extract-file abc'],
  );
  t.deepEqual(await readIncidents(redis), [stale]);
  await failOnce();
  t.deepEqual(
    received.map(({ type }) => type),
    ['job.failed', 'data.stale', 'job.failed'],
  );
});
