import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createJobWatch } from '../../../jobs/watch/job-watch.ts';
import { createWebhook } from '../../../jobs/watch/webhook.ts';
import { countPending } from '../../../jobs/watch/delivery.ts';
import { readRecords } from '../../../warehouse/live/incident-records.ts';
import { readIncidents } from '../../../warehouse/live/incidents.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { until } from '../helpers/command.ts';
import { aListener, SECRET } from '../helpers/notice-listener.ts';

const CHILD = fileURLToPath(new URL('../helpers/watch-child.ts', import.meta.url));
const NEWS = { name: 'refresh-news', id: 'refresh-news', data: {} };
const WEATHER = { name: 'refresh-weather', id: 'refresh-weather', data: {} };
const DAY_MS = 86_400_000;

/**
 * Creates workers on one Redis. A worker sends notices if it gets an address. `clock.ms` moves the workers' clock
 * forward. Notices time out late, because machines may be busy. Only tests of the timeout set a short timeout.
 */
async function someWorkers(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  const clock = { ms: 0 };
  const warnings: string[] = [];
  const log = { warn: (_facts: object, text: string) => void warnings.push(text) } as never;
  const now = () => new Date(Date.now() + clock.ms);
  const worker = (address?: string, timeoutMs = 60_000) => {
    const policy = { pauseMs: 1, timeoutMs };
    // Receivers check the time of the signature against the real time.
    const hook =
      address && createWebhook({ url: address, secret: SECRET }, () => new Date(), policy);
    const watch = createJobWatch({ redis, hook: hook || undefined, log, now });
    const runAndWait = async (work: () => void) => {
      work();
      await watch.waitUntilDone();
    };
    return {
      watch,
      address: hook ? hook.address : '',
      reportFailure: (job = NEWS) =>
        runAndWait(() => watch.failed(job, new Error('no feed answers'))),
      reportSuccess: (job = NEWS) => runAndWait(() => watch.done(job, {})),
      sendPending: () => runAndWait(() => watch.judged([])),
    };
  };
  const open = async () => (await readIncidents(redis)).map(({ key }) => key);
  return { url, redis, clock, warnings, worker, open };
}

const typesOf = (received: { type: string }[]) => received.map(({ type }) => type);

test('a notice that is not accepted is retried, and the next call sends it with the same id', async (t) => {
  const { redis, warnings, worker, open } = await someWorkers(t);
  const { received, ids, url } = await aListener(t, [503, 500, 503, 500]);
  const sender = worker(url);
  await sender.reportFailure();
  t.deepEqual(received, []);
  t.deepEqual(
    await open(),
    ['job refresh-news'],
    'the incident is listed although its notice was not sent',
  );
  t.is(countPending(await readRecords(redis), sender.address), 1);
  t.deepEqual(warnings, ['notice not sent']);
  await sender.sendPending();
  t.deepEqual(typesOf(received), ['job.failed']);
  t.is(ids.length, 5);
  t.is(new Set(ids).size, 1);
  await sender.sendPending();
  await sender.reportFailure();
  t.is(received.length, 1, 'the notice is sent once');
  t.is(countPending(await readRecords(redis), sender.address), 0);
});

test('if a worker is killed while it sends, another worker sends the notice with the same id', async (t) => {
  const { url, clock, worker, open } = await someWorkers(t);
  const { received, ids, answers, url: address } = await aListener(t, [{ waitMs: 60_000 }]);
  const child = spawn(process.execPath, [CHILD, url, address, SECRET]);
  t.teardown(() => child.kill('SIGKILL'));
  await until('the child sends', () => ids.length === 1);
  child.kill('SIGKILL');
  await once(child, 'close');
  t.deepEqual(await open(), ['job refresh-news']);
  answers.length = 0;
  const other = worker(address);
  await other.sendPending();
  t.is(ids.length, 1, 'the lease of the killed worker has not expired');
  clock.ms = 2 * 60_000;
  await other.sendPending();
  t.deepEqual(typesOf(received), ['job.failed']);
  t.is(new Set(ids).size, 1);
  t.is(ids.length, 2);
});

test('a worker with an address sends the notices of a worker without an address, also the end of an incident', async (t) => {
  const { worker, open } = await someWorkers(t);
  const { received, ids, url } = await aListener(t);
  const [silent, sending] = [worker(), worker(url)];
  await silent.reportFailure();
  await sending.sendPending();
  t.deepEqual(typesOf(received), ['job.failed']);
  await silent.reportSuccess();
  t.deepEqual(await open(), []);
  await silent.sendPending();
  t.is(received.length, 1);
  await sending.sendPending();
  t.deepEqual(typesOf(received), ['job.failed', 'job.failed.over']);
  t.is(new Set(ids).size, 2);
  await silent.reportFailure();
  await silent.reportSuccess();
  await sending.sendPending();
  t.is(received.length, 2, 'an incident that is resolved before its notice is sent is never sent');
});

test('a new address receives open incidents, and each address receives the end of its incidents', async (t) => {
  const { redis, clock, warnings, worker } = await someWorkers(t);
  const [former, other] = [await aListener(t), await aListener(t)];
  await worker(former.url).reportFailure();
  const next = worker(other.url);
  await next.sendPending();
  await worker(former.url).sendPending();
  t.deepEqual(
    [former, other].map(({ received }) => typesOf(received)),
    [['job.failed'], ['job.failed']],
  );
  await next.reportSuccess();
  await next.sendPending();
  t.deepEqual(typesOf(other.received), ['job.failed', 'job.failed.over']);
  t.is((await readRecords(redis)).length, 1, 'the former address has not received the end');
  clock.ms = 3 * DAY_MS + 1_000;
  await next.sendPending();
  t.deepEqual(await readRecords(redis), []);
  t.deepEqual(warnings, ['notice dropped']);
});

test('the end of an incident is sent again if it was not accepted; an incident that returns before that continues', async (t) => {
  const { worker, open } = await someWorkers(t);
  const { received, answers, ids, url } = await aListener(t);
  const sender = worker(url);
  await sender.reportFailure();
  answers.push(503, 503, 503);
  await sender.reportSuccess();
  t.deepEqual(await open(), []);
  await sender.sendPending();
  t.deepEqual(typesOf(received), ['job.failed', 'job.failed.over']);
  t.is(new Set(ids).size, 2);
  await sender.reportFailure();
  answers.push(503, 503, 503);
  await sender.reportSuccess();
  await sender.reportFailure();
  t.is(received.length, 3, 'the end was never sent, so the same incident continues');
  await sender.reportSuccess();
  t.deepEqual(typesOf(received).slice(2), ['job.failed', 'job.failed.over']);
});

test('an address that answers too late receives the same notice again, and the end once', async (t) => {
  const { worker } = await someWorkers(t);
  const timeoutMs = 1_000;
  const slow = { waitMs: 2 * timeoutMs };
  const { received, ids, url } = await aListener(t, [slow, slow, slow]);
  await worker(url, timeoutMs).reportFailure();
  t.is(ids.length, 3);
  t.is(new Set(ids).size, 1);
  await worker(url).reportSuccess();
  await until('the listener has accepted all notices', () => received.length === 4);
  t.is(received.filter(({ type }) => type === 'job.failed.over').length, 1);
});

test('workers with one address send each notice once, and a notice that always fails does not block others', async (t) => {
  const { redis, worker } = await someWorkers(t);
  const { received, url } = await aListener(t);
  const workers = [1, 2, 3].map(() => worker(url));
  await Promise.all(workers.map((each) => each.reportFailure()));
  t.is(received.length, 1);
  const [first] = workers;
  const failingListener = await aListener(
    t,
    Array.from({ length: 9 }, () => 400),
  );
  const other = worker(failingListener.url);
  await other.sendPending();
  await first?.reportFailure(WEATHER);
  await until('the other notice is sent', async () => {
    await other.sendPending();
    return failingListener.received.length > 0;
  });
  t.is(failingListener.received.length, 2);
  t.is(countPending(await readRecords(redis), other.address), 0);
});

test('unsent news about a model is sent once, and dropped after three days', async (t) => {
  const { redis, clock, warnings, worker, open } = await someWorkers(t);
  const { received, url } = await aListener(t, [503, 503, 503]);
  const sender = worker(url);
  sender.watch.done({ name: 'train', id: 'train', data: {} }, { isReleased: true, why: 'better' });
  await sender.watch.waitUntilDone();
  t.deepEqual(await open(), [], 'no incident');
  await sender.sendPending();
  await sender.sendPending();
  t.deepEqual(
    received.map(({ type, text }) => [type, text]),
    [['model.released', 'better']],
  );
  clock.ms = 3 * DAY_MS + 1_000;
  await sender.sendPending();
  t.deepEqual(await readRecords(redis), []);
  t.deepEqual(warnings, ['notice not sent']);
});

test('an invalid record does not block other incidents, and is replaced', async (t) => {
  const { redis, worker, open } = await someWorkers(t);
  const { received, url } = await aListener(t);
  await redis.hset('hw:incidents', 'job refresh-news', '{half', 'checks', '7');
  const sender = worker(url);
  await sender.reportFailure();
  t.deepEqual(typesOf(received), ['job.failed']);
  t.deepEqual(await open(), ['job refresh-news']);
});
