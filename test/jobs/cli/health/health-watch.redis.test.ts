import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import type { HealthWatch } from '../../../../jobs/cli/health/health-watch.ts';
import { createDirectNotices } from '../../../../jobs/watch/direct-notices.ts';
import { createJobWatch } from '../../../../jobs/watch/job-watch.ts';
import type { JobWatch } from '../../../../jobs/watch/incidents-of-jobs.ts';
import { createWebhook } from '../../../../jobs/watch/webhook.ts';
import { restoreKeys } from '../../../../warehouse/keyring/archived-keys.ts';
import { createKeyring, readArchive } from '../../../../warehouse/keyring/keyring.ts';
import { acknowledgeIncidents, readIncidents } from '../../../../warehouse/live/incidents.ts';
import {
  readMachineReports,
  writeMachineReport,
} from '../../../../warehouse/live/health-reports.ts';
import { writeStart } from '../../../../warehouse/live/starts.ts';
import { saveSettings } from '../../../../jobs/queue/schedule-changes.ts';
import type { Schedule } from '../../../../jobs/queue/schedules.ts';
import { writeApiReport } from '../../../../warehouse/live/api-reports.ts';
import { readOpsSummary } from '../../../../warehouse/live/ops-summary.ts';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { aKey, aKeystore } from '../../../api/helpers/keystore.ts';
import { borrowRedis } from '../../../helpers/redis.ts';
import { aHealthWatch } from '../../helpers/health-watch.ts';
import { aListener, SECRET } from '../../helpers/notice-listener.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

type Judged = Parameters<JobWatch['judged']>[0];

const log = pino({ level: 'silent' });

/** A worker's health watch on an empty data folder with two archived keys; `judge` waits for a new judgement. */
async function aWatch(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const { keys, redis } = await aKeystore(t, url);
  const dataDir = await tempDir(t);
  const { archiveFile } = dataPaths(dataDir);
  const now = () => new Date();
  const keyring = createKeyring({ redis, archiveFile, now });
  for (const _ of [1, 2]) await aKey(keys, 40, now());
  await keyring.archive();
  const { received, url: address } = await aListener(t);
  const hook = createWebhook({ url: address, secret: SECRET }, now, { pauseMs: 1 });
  const watch = createJobWatch({ redis, hook, log, now });
  const notices = createDirectNotices({ hook, log, now });
  const health = aHealthWatch(t, { redis, url, dataDir }, { keyring, watch, notices });
  const judge = async () => {
    await health.judge();
    await watch.waitUntilDone();
    await notices.waitUntilDone();
  };
  const types = () => received.map(({ type }) => type).filter((type) => !type.startsWith('store'));
  return { url, redis, keys, dataDir, keyring, archiveFile, health, judge, types, received };
}

/** A Redis without another watch, and an empty data folder. */
async function anEmptyWorld(t: ExecutionContext) {
  const { url } = await borrowRedis((stop) => t.teardown(stop));
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  return { url, redis, dataDir: await tempDir(t) };
}

test('lost keys, and later their return, are shown by the incident, the notice, the metric and /ops', async (t) => {
  const { redis, keyring, archiveFile, health, judge, types } = await aWatch(t);
  await judge();
  t.false(health.conditions()?.has('keys.lost'));
  await redis.flushall();
  await judge();
  t.true(health.conditions()?.has('keys.lost'));
  t.deepEqual(types(), ['keys.lost']);
  const verdict = async () => (await readOpsSummary(redis))?.verdict;
  t.is((await verdict())?.code, 1);
  t.regex((await verdict())?.why.join() ?? '', /Redis lost 2 keys .+ make keys-restore/);
  await keyring.archive();
  await judge();
  t.true(health.conditions()?.has('keys.lost'), 'an archive does not end the loss');
  await restoreKeys(redis, (await readArchive(archiveFile))?.keys ?? []);
  await judge();
  t.false(health.conditions()?.has('keys.lost'));
  t.deepEqual(types(), ['keys.lost', 'keys.lost.over']);
  const open = (await readIncidents(redis)).map(({ kind }) => kind);
  t.false(open.includes('keys.lost'));
});

test('a key created after the last archive is archived by the next judgement, so its loss is noticed', async (t) => {
  const { redis, keys, archiveFile, judge, types } = await aWatch(t);
  await aKey(keys, 40, new Date());
  t.is((await readArchive(archiveFile))?.keys.length, 2);
  await judge();
  t.is((await readArchive(archiveFile))?.keys.length, 3);
  await redis.flushall();
  await judge();
  t.deepEqual(types(), ['keys.lost']);
  t.regex((await readOpsSummary(redis))?.verdict.why.join() ?? '', /Redis lost 3 keys/);
});

test('two workers of a machine report separately: the end of one does not hide the other', async (t) => {
  const { url, redis, health, judge, dataDir } = await aWatch(t);
  await judge();
  const command = aHealthWatch(t, { redis, url, dataDir }, { isService: false });
  await command.judge();
  const machines = async () => readMachineReports(redis, new Date());
  t.deepEqual(
    (await machines()).map(({ isService }) => isService),
    [true],
  );
  await command.close();
  t.is((await machines()).length, 1);
  await health.close();
  t.is((await machines()).length, 0);
});

test('refused writes and the recovery of Redis are notified without Redis', async (t) => {
  const { redis, health, judge, types, received } = await aWatch(t);
  await judge();
  await redis.call('REPLICAOF', '127.0.0.1', '1');
  await judge();
  await judge();
  t.true(health.conditions()?.has('redis.refuses_writes'));
  t.deepEqual(types(), ['redis.refuses_writes']);
  t.regex(received.at(-1)?.text ?? '', /READONLY/);
  await redis.call('REPLICAOF', 'NO', 'ONE');
  await judge();
  t.false(health.conditions()?.has('redis.refuses_writes'));
  t.deepEqual(types(), ['redis.refuses_writes', 'redis.refuses_writes.over']);
});

test('APIs that could not report while Redis refused writes are silent only half a minute later', async (t) => {
  const world = await anEmptyWorld(t);
  const { redis } = world;
  let ms = Date.now();
  const health = aHealthWatch(t, world, { now: () => new Date(ms) });
  const isFailing = async () => {
    await health.judge();
    return health.conditions()?.has('calls.failing');
  };
  await writeApiReport(redis, { address: 'a:1', at: new Date(ms).toISOString() });
  t.false(await isFailing());
  await redis.call('REPLICAOF', '127.0.0.1', '1');
  ms += 60_000;
  t.false(await isFailing());
  await redis.call('REPLICAOF', 'NO', 'ONE');
  ms += 20_000;
  t.false(await isFailing());
  ms += 20_000;
  t.true(await isFailing());
});

test('a service without an API is failing after 20 s, also if a former service stopped just before its start', async (t) => {
  const world = await anEmptyWorld(t);
  let ms = Date.now();
  const isFailing = async (health: HealthWatch) => {
    await health.judge();
    return health.conditions()?.has('calls.failing');
  };
  for (const _ of ['first', 'next']) {
    const health = aHealthWatch(t, world, { now: () => new Date(ms) });
    t.false(await isFailing(health));
    ms += 20_000;
    t.true(await isFailing(health));
    await health.close();
  }
});

test('a service that starts again after an orderly stop sends no notice about its APIs', async (t) => {
  const world = await anEmptyWorld(t);
  // Before the stop, workers saved the settings of the schedules in Redis.
  await saveSettings(world.redis, [{ id: 'nightly', pattern: '30 2 * * *' } as Schedule]);
  const health = aHealthWatch(t, world);
  await health.judge();
  t.false(health.conditions()?.has('calls.failing'));
});

test('a first start is no outage until it is killed or takes 15 minutes', async (t) => {
  const world = await anEmptyWorld(t);
  const { redis } = world;
  let ms = Date.now();
  const problems: string[] = [];
  const judged = (found: Judged) =>
    void problems.splice(0, problems.length, ...found.map(({ kind }) => kind).toSorted());
  const now = () => new Date(ms);
  const health = aHealthWatch(t, world, { now, watch: { judged } });
  const judge = async (address: string) => {
    await writeApiReport(redis, { address, at: now().toISOString(), problem: 'no store' });
    await health.judge();
    return { notified: problems, isStarting: health.conditions()?.has('service.starting') };
  };
  const outage = { notified: ['calls.failing', 'store.missing'], isStarting: false };
  t.deepEqual(await judge('a:1'), outage, 'without a start');
  await writeStart(redis, '/x on barn', now());
  t.deepEqual(await judge('a:1'), { notified: [], isStarting: true });
  ms += 20_000;
  t.deepEqual(await judge('a:1'), outage, 'the start was killed');
  ms += 14 * 60_000;
  await writeStart(redis, '/x on barn', now());
  t.deepEqual(await judge('a:1'), { notified: [], isStarting: true });
  ms += 40_000;
  await writeStart(redis, '/x on barn', now());
  t.deepEqual(await judge('a:1'), outage, 'the start takes too long');
});

test('a Redis with full memory refuses writes', async (t) => {
  const { redis, health, judge } = await aWatch(t);
  await redis.config('SET', 'maxmemory', '1');
  t.teardown(() => redis.config('SET', 'maxmemory', '0'));
  await judge();
  t.true(health.conditions()?.has('redis.refuses_writes'));
});

test('workers of two lakes are an incident until one reports no more; invalid and old reports are deleted', async (t) => {
  const { redis, judge, types } = await aWatch(t);
  const other = { machine: '/x on barn', lake: 'b', isService: true, problems: [] };
  await writeMachineReport(redis, '2', { ...other, at: new Date().toISOString() });
  const day = 24 * 3_600_000;
  const longAgo = new Date(Date.now() - 2 * day).toISOString();
  await writeMachineReport(redis, 'old', { ...other, machine: 'old', at: longAgo });
  await redis.hset('hw:machines', 'bad', '{half', 'null', 'null');
  // The first judgement reports this worker's lake. The second judgement compares the reports of all machines.
  for (const _ of [1, 2]) await judge();
  t.deepEqual(types(), ['lakes.differ']);
  t.deepEqual(
    (await redis.hkeys('hw:machines')).filter((id) => ['old', 'bad', 'null'].includes(id)),
    [],
  );
  await writeMachineReport(redis, '2', {
    ...other,
    at: new Date(Date.now() - 3 * 60_000).toISOString(),
  });
  await judge();
  t.deepEqual(types(), ['lakes.differ', 'lakes.differ.over']);
});

test('a problem that only another machine judges is an incident until that machine ends', async (t) => {
  const { redis, judge, types } = await aWatch(t);
  const problem = { key: 'full disk of x', kind: 'disk.full', text: 'full', machine: 'x' } as const;
  const report = { machine: 'x', lake: 'a', isService: true, problems: [problem] };
  await writeMachineReport(redis, '2', { ...report, at: new Date().toISOString() });
  await judge();
  t.deepEqual(types(), ['disk.full']);
  t.is((await readOpsSummary(redis))?.verdict.code, 1);
  t.deepEqual(await acknowledgeIncidents(redis, new Date().toISOString()), []);
  await redis.hdel('hw:machines', '2');
  await judge();
  t.deepEqual(types(), ['disk.full', 'disk.full.over']);
});
