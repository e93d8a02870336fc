import { execFileSync } from 'node:child_process';
import { readFile, readdir, rename, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NEWS_CHANNEL, NEWS_ROUTES_KEY } from '../../warehouse/live/news.ts';
import { FORECASTS_CHANNEL, saveForecasts } from '../../warehouse/live/forecasts.ts';
import { acknowledgeIncidents } from '../../warehouse/live/incidents.ts';
import { openQueues } from '../../jobs/queue/queues.ts';
import { markEnded } from '../../jobs/queue/schedule-marks.ts';
import { requestFile } from '../../jobs/queue/requests.ts';
import { repeat, type Harm, type Stop, type World } from './harm.ts';
import { reportedHarms } from './reported-harms.ts';
import { failingWatches } from './watch-harm.ts';
import { createKey, buildStore, publish as publishTo, type Service } from './service.ts';

const HOUR_MS = 3_600_000;
/** Delay of Redis that makes a call slow. It is shorter than the 300 ms for which a call waits for Redis. */
const SLOW_MS = 280;
/** Delay of Redis that makes a call fail. It is longer than the 300 ms for which a call waits for Redis. */
const STUCK_MS = 600;
const STALL_MS = 400;
/** Free space of a full disk. */
const LEFT_BYTES = 4_000_000;

/** Returns the harm for each alert. Each harm leaves the service intact for the next one. */
export function harms(world: World): Record<string, Harm> {
  return {
    ...storeHarms(world),
    ...liveHarms(world),
    ...callHarms(world),
    ...jobHarms(world),
    ...processHarms(world),
    ...reportedHarms(world),
    HeadwindWatchesFail: failingWatches(world),
  };
}

function storeHarms({ files, publish, service }: World): Record<string, Harm> {
  const publishWholeStore = () => publish(files);
  return {
    // The service was started without a store, so it answers every call with 503.
    HeadwindStoreMissing: { alsoFires: 'HeadwindErrors', repair: publishWholeStore },
    HeadwindModelMissing: {
      start: async () => publish((await buildStore({ hasModel: false })).files),
      repair: publishWholeStore,
    },
    HeadwindHistoryOld: {
      start: async () => publish((await buildStore({ lastMonth: '2020-01' })).files),
      repair: publishWholeStore,
    },
    HeadwindStoresDiffer: {
      start: async () => {
        service.start('otherRedis');
        await publishTo(service.otherRedisUrl, (await buildStore()).files);
        service.start('otherApi');
        return async () => service.signal('otherApi', 'SIGKILL');
      },
    },
  };
}

function liveHarms({ service: { redis } }: World): Record<string, Harm> {
  const setForecastAge = async (agoMs: number) => {
    const at = new Date(Date.now() - agoMs).toISOString();
    await redis.set('hw:weather:saved-at', at);
    await redis.publish(FORECASTS_CHANNEL, at);
  };
  const setNewsAge = async (agoMs: number) => {
    await redis.hset(NEWS_ROUTES_KEY, '', new Date(Date.now() - agoMs).toISOString());
    await redis.publish(NEWS_CHANNEL, '');
  };
  return {
    HeadwindForecastsOld: {
      start: async () => {
        const at = new Date().toISOString();
        await saveForecasts(redis, new Map([['JFK', { fetchedAt: at, days: new Map() }]]));
        await setForecastAge(10 * HOUR_MS);
      },
      repair: () => setForecastAge(0),
    },
    HeadwindNewsOld: { start: () => setNewsAge(3 * HOUR_MS), repair: () => setNewsAge(0) },
  };
}

function callHarms({ service, call }: World): Record<string, Harm> {
  const pauseRedis = (ms: number) => async () =>
    repeat(async () => {
      await service.redis.client('PAUSE', ms, 'ALL');
      await sleep(ms);
    }, 30);
  const stallApi = async () =>
    repeat(async () => {
      await service.signal('api', 'SIGSTOP');
      await sleep(STALL_MS);
      await service.signal('api', 'SIGCONT');
    }, 300);
  // Hides the set of all keys. Every archived key is then reported as lost, but calls are still answered.
  const renameKeys = (from: string, to: string) => async () => {
    await service.redis.rename(from, to);
  };
  return {
    HeadwindKeysLost: {
      start: renameKeys('hw:keys', 'hw:keys:hidden'),
      repair: renameKeys('hw:keys:hidden', 'hw:keys'),
    },
    HeadwindRedisSlow: { start: pauseRedis(SLOW_MS) },
    HeadwindSlow: { start: pauseRedis(SLOW_MS) },
    HeadwindRedisFailures: { start: pauseRedis(STUCK_MS) },
    HeadwindEventLoopSlow: { start: stallApi },
    HeadwindQuotaRefusals: {
      start: async () => {
        const key = await createKey(service.redisUrl, 1);
        return repeat(() => call(key), 5);
      },
    },
    HeadwindFilesRunOut: { start: () => exhaustDescriptors(service) },
  };
}

/** Lets each API process open only four more files than it has open now. */
async function exhaustDescriptors({ pid }: Service): Promise<Stop> {
  const limits: (() => void)[] = [];
  for (const worker of await childrenOf(pid('api'))) {
    const open = (await readdir(`/proc/${worker}/fd`)).length;
    const limit = (soft: number | string) =>
      execFileSync('prlimit', ['--pid', String(worker), `--nofile=${soft}:`]);
    limit(open + 4);
    limits.push(() => limit(1024));
  }
  return async () => limits.forEach((widen) => widen());
}

async function childrenOf(parent: number): Promise<number[]> {
  const text = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

function jobHarms({ service }: World): Record<string, Harm> {
  const { redis, redisUrl } = service;
  const withQueues = async (work: (queues: ReturnType<typeof openQueues>) => Promise<unknown>) => {
    const queues = openQueues(redisUrl);
    await work(queues);
    await queues.close();
  };
  // A schedule is not overdue shortly after its registration, so the registration gets the same age.
  const setScheduleAge = (agoMs: number) => async () => {
    const at = String(Date.now() - agoMs);
    await redis.hset('hw:schedules:since', 'nightly', at);
    await redis.hset('hw:schedules:succeeded', 'nightly', at);
  };
  const endVerify = (isOk: boolean) =>
    markEnded(redis, [{ id: 'verify' }], { isOk, text: 'a file is damaged' }, new Date());
  return {
    HeadwindDataUnsafe: {
      start: () => endVerify(false),
      repair: () => endVerify(true),
    },
    HeadwindScheduleLate: { start: setScheduleAge(72 * HOUR_MS), repair: setScheduleAge(0) },
    HeadwindJobsFailing: {
      start: async () => {
        const file = path.join(service.disk, 'no-flights.csv');
        await writeFile(file, 'neither flights nor sums\n');
        await withQueues((queues) => requestFile(queues, { path: file, sha256: '0'.repeat(64) }));
      },
      repair: async () => void (await acknowledgeIncidents(redis, new Date().toISOString())),
    },
    HeadwindQueueStuck: {
      start: () =>
        withQueues(async (queues) => {
          await queues.queue('live').pause();
          const timestamp = Date.now() - 2 * HOUR_MS;
          await queues.queue('live').add('refresh-nas', {}, { timestamp });
        }),
      repair: () => withQueues((queues) => queues.queue('live').resume()),
    },
    // Restarts the worker: a running worker checks the lake every five minutes, but a worker that starts checks at
    // once.
    HeadwindLakeAway: {
      start: () => moveLake(service, service.lake, `${service.lake}-gone`),
      repair: () => moveLake(service, `${service.lake}-gone`, service.lake),
    },
    HeadwindDiskFull: { start: async () => fillDisk(service.disk) },
  };
}

async function moveLake(service: Service, from: string, to: string): Promise<void> {
  await rename(from, to);
  await service.signal('worker', 'SIGKILL');
  service.start('worker');
}

/** Fills the small disk, which contains the data folder. */
async function fillDisk(disk: string): Promise<Stop> {
  const { bavail, bsize } = await statfs(disk);
  execFileSync('fallocate', ['-l', String(bavail * bsize - LEFT_BYTES), `${disk}/ballast`]);
  return async () => void execFileSync('rm', [`${disk}/ballast`]);
}

function processHarms({ service }: World): Record<string, Harm> {
  const kill = (part: 'api' | 'worker' | 'redis'): Harm => ({
    start: () => service.signal(part, 'SIGKILL'),
    repair: async () => service.start(part),
  });
  return {
    // The threshold of this alert is lowered, so it fires from the start. It clears when the API's processes have
    // ended.
    HeadwindMemoryHigh: {
      repair: () => service.signal('api', 'SIGKILL'),
      cleanUp: async () => service.start('api'),
    },
    HeadwindApiDown: kill('api'),
    HeadwindWorkerDown: kill('worker'),
    HeadwindRedisAway: kill('redis'),
  };
}
