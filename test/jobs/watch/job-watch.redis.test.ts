import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { openQueues } from '../../../jobs/queue/queues.ts';
import { startWorkers } from '../../../jobs/queue/worker.ts';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { ledgerOf } from '../../../jobs/wiring/ledger.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';
import { readRuns, runIds } from '../../../warehouse/lake/ledger.ts';
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
  const { got, url: address } = await aListener(t, answers);
  const now = () => new Date();
  const log = pino({ level: 'silent' });
  const hook = createWebhook({ url: address, secret: SECRET }, now, { pauseMs: 1 });
  const watch = createJobWatch({ redis, paths, hook, staleness: async () => [], log, now });
  return { url, redis, paths, got, watch, log };
}

test('a day on which the server is away is told once, and once that it is over; the ledger has every failure', async (t) => {
  const { url, redis, paths, got, watch, log } = await aWatch(t);
  let isAway = true;
  const findMonths = async () => {
    if (isAway) throw new SourceOutageError('bts', 'the server answers 503');
    return { asked: [], out: [], weather: [] };
  };
  const source = { kind: 'url', base: 'http://bts.example' } as const;
  const places = { flights: source, weather: source, lockFile: paths.storeLock };
  const steps = { findMonths } as never;
  const ledger = ledgerOf(paths, 'test');
  const deps = { steps, keyring: IDLE_KEYRING, log, watch, places, ledger };
  const workers = await startWorkers(url, deps);
  t.teardown(async () => void (await workers.close(1_000)));
  const queues = openQueues(url);
  t.teardown(queues.close);
  const queue = queues.queue('extract');
  const look = async () => {
    const ended = (await queue.getFailedCount()) + (await queue.getCompletedCount());
    await queue.add('look-for-months', {}, { attempts: 1 });
    await until('it is over', async () => {
      return (await queue.getFailedCount()) + (await queue.getCompletedCount()) > ended;
    });
    await watch.settled();
  };
  await look();
  await look();
  await until('it is told', () => got.length === 1);
  t.like(got[0], {
    type: 'job.failed',
    text: 'look-for-months failed: bts: the server answers 503',
  });
  t.deepEqual(
    (await readIncidents(redis)).map(({ key }) => key),
    ['job look-for-months'],
  );
  isAway = false;
  await look();
  await until('it is over', () => got.length === 2);
  t.like(got[1], { type: 'job.failed.over', text: 'Well again: job look-for-months' });
  await look();
  await watch.settled();
  t.is(got.length, 2);
  t.deepEqual(await readIncidents(redis), []);
  const runs = await readRuns(paths.runsDir, await runIds(paths.runsDir));
  t.deepEqual(
    runs.map(({ step, outcome, error }) => [step, outcome, error]),
    [1, 2].map(() => ['job', 'failed', 'bts: the server answers 503']),
  );
});

test('a refused month is told until a file of it is taken, a model once', async (t) => {
  const { got, watch } = await aWatch(t);
  const file = { name: 'extract-file', id: 'extract-file-1', data: {} };
  const refused = aReport('a.csv', ['2018-01', '2018-02'], ['2018-02']);
  watch.done(file, refused);
  watch.done(file, refused);
  watch.done({ ...file, id: 'extract-file-2' }, aReport('b.csv', ['2018-02']));
  watch.done(
    { name: 'train', id: 'train', data: {} },
    { isReleased: false, why: 'not released: no skill' },
  );
  await watch.settled();
  t.deepEqual(
    got.map(({ type, text }) => [type, text.split(':')[0]]),
    [
      ['month.refused', '2018-02 of a.csv is refused, what was there stays'],
      ['month.refused.over', 'Well again'],
      ['model.refused', 'not released'],
    ],
  );
});

test('what failed and is known is taken off, with no word that it is over, and told again when it comes again', async (t) => {
  const { redis, got, watch } = await aWatch(t);
  const file = { name: 'extract-file', id: 'extract-file-1', data: { sha256: 'abc' } };
  const fails = async () => {
    watch.failed(file, new Error('no header we know'));
    await watch.settled();
  };
  await fails();
  const stale = { key: 'stale data', kind: 'data.stale', text: 'old', since: '' } as const;
  await openIncident(redis, stale);
  const since = (await readIncidents(redis)).map((one) => one.since).toSorted()[1] ?? '';
  const before = new Date(Date.parse(since) - 1).toISOString();
  t.deepEqual(await acknowledgeIncidents(redis, before), [], 'nobody has seen it');
  const taken = await acknowledgeIncidents(redis, since);
  t.deepEqual(
    taken.map(({ key }) => key),
    ['job extract-file abc'],
  );
  t.deepEqual(await readIncidents(redis), [stale]);
  await fails();
  t.deepEqual(
    got.map(({ type }) => type),
    ['job.failed', 'data.stale', 'job.failed'],
  );
});
