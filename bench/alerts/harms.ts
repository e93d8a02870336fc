import { execFileSync } from 'node:child_process';
import { readFile, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NEWS_CHANNEL, NEWS_ROUTES_KEY } from '../../warehouse/live/news.ts';
import { FORECASTS_CHANNEL, saveForecasts } from '../../warehouse/live/forecasts.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import { openQueues } from '../../jobs/queue/queues.ts';
import { requestFile } from '../../jobs/queue/requests.ts';
import { aKeyOf, aStore, publish as publishTo, type Service } from './service.ts';

/** What makes an alert fire and clear. `hurt` may give what is to be stopped before `heal`. */
export type Harm = {
  /** Absent where the harm is done: by the start, or by the one before. */
  hurt?: () => Promise<Stop | void>;
  /** Another alert that the same harm fires, and that clears with it. */
  withIt?: string;
  heal?: () => Promise<void>;
  /** Done when it has cleared. */
  after?: () => Promise<void>;
};

type Stop = () => Promise<void>;

type World = {
  service: Service;
  /** A call of `/api/score` with that key; gives its status. */
  call: (key: string) => Promise<number>;
  files: StoreFiles;
  publish: (store: StoreFiles) => Promise<void>;
};

const HOUR_MS = 3_600_000;
/** Long enough for a call to be slow, short enough for Redis not to be given up on. */
const SLOW_MS = 280;
/** Redis is given up on after 300 ms. */
const STUCK_MS = 600;
const STALL_MS = 400;

/** By alert, in an order in which each leaves the service whole. */
export function harms(world: World): Record<string, Harm> {
  return {
    ...storeHarms(world),
    ...liveHarms(world),
    ...callHarms(world),
    ...jobHarms(world),
    ...processHarms(world),
  };
}

function storeHarms({ files, publish, service }: World): Record<string, Harm> {
  const whole = () => publish(files);
  return {
    // The service has begun without one, and answers every call with 503.
    HeadwindStoreMissing: { withIt: 'HeadwindErrors', heal: whole },
    HeadwindModelMissing: {
      hurt: async () => publish((await aStore({ hasModel: false })).files),
      heal: whole,
    },
    HeadwindHistoryOld: {
      hurt: async () => publish((await aStore({ lastMonth: '2020-01' })).files),
      heal: whole,
    },
    HeadwindStoresDiffer: {
      hurt: async () => {
        service.start('otherRedis');
        await publishTo(service.otherRedisUrl, (await aStore()).files);
        service.start('otherApi');
        return async () => service.signal('otherApi', 'SIGKILL');
      },
    },
  };
}

function liveHarms({ service: { redis } }: World): Record<string, Harm> {
  const savedAt = async (agoMs: number) => {
    const at = new Date(Date.now() - agoMs).toISOString();
    await redis.set('hw:weather:saved-at', at);
    await redis.publish(FORECASTS_CHANNEL, at);
  };
  const newsAt = async (agoMs: number) => {
    await redis.hset(NEWS_ROUTES_KEY, '', new Date(Date.now() - agoMs).toISOString());
    await redis.publish(NEWS_CHANNEL, '');
  };
  return {
    HeadwindForecastsOld: {
      hurt: async () => {
        const at = new Date().toISOString();
        await saveForecasts(redis, new Map([['JFK', { fetchedAt: at, days: new Map() }]]));
        await savedAt(10 * HOUR_MS);
      },
      heal: () => savedAt(0),
    },
    HeadwindNewsOld: { hurt: () => newsAt(3 * HOUR_MS), heal: () => newsAt(0) },
  };
}

/** Does it over and over until told to stop. */
function again(work: () => Promise<unknown>, pauseMs: number): Stop {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await work();
      await sleep(pauseMs);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}

function callHarms({ service, call }: World): Record<string, Harm> {
  const pausing = (ms: number) => async () =>
    again(async () => {
      await service.redis.client('PAUSE', ms, 'ALL');
      await sleep(ms);
    }, 30);
  const stalling = async () =>
    again(async () => {
      await service.signal('api', 'SIGSTOP');
      await sleep(STALL_MS);
      await service.signal('api', 'SIGCONT');
    }, 300);
  return {
    HeadwindRedisSlow: { hurt: pausing(SLOW_MS) },
    HeadwindSlow: { hurt: pausing(SLOW_MS) },
    HeadwindRedisFailures: { hurt: pausing(STUCK_MS) },
    HeadwindEventLoopSlow: { hurt: stalling },
    HeadwindQuotaRefusals: {
      hurt: async () => {
        const key = await aKeyOf(service.redisUrl, 1);
        return again(() => call(key), 5);
      },
    },
    HeadwindFilesRunOut: { hurt: () => fullOfFiles(service) },
  };
}

/** Leaves the processes of the API little more descriptors than they have open. */
async function fullOfFiles({ pid }: Service): Promise<Stop> {
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
  const succeeded = (agoMs: number) => async () => {
    await redis.hset('hw:schedules:succeeded', 'nightly', String(Date.now() - agoMs));
  };
  return {
    HeadwindScheduleLate: { hurt: succeeded(72 * HOUR_MS), heal: succeeded(0) },
    HeadwindJobsFailing: {
      hurt: async () => {
        const file = path.join(service.disk, 'no-flights.csv');
        await writeFile(file, 'neither flights nor sums\n');
        await withQueues((queues) => requestFile(queues, { path: file, sha256: '0'.repeat(64) }));
      },
    },
    HeadwindQueueStuck: {
      hurt: () =>
        withQueues(async (queues) => {
          await queues.queue('live').pause();
          const timestamp = Date.now() - 2 * HOUR_MS;
          await queues.queue('live').add('refresh-nas', {}, { timestamp });
        }),
      heal: () => withQueues((queues) => queues.queue('live').resume()),
    },
    // A worker that runs looks every five minutes; one that begins looks at once.
    HeadwindLakeAway: {
      hurt: () => movedLake(service, service.lake, `${service.lake}-gone`),
      heal: () => movedLake(service, `${service.lake}-gone`, service.lake),
    },
    HeadwindDiskFull: { hurt: async () => fillDisk(service.disk) },
  };
}

async function movedLake(service: Service, from: string, to: string): Promise<void> {
  await rename(from, to);
  await service.signal('worker', 'SIGKILL');
  service.start('worker');
}

/** Fills the little disk the data folder is on. */
async function fillDisk(disk: string): Promise<Stop> {
  execFileSync('fallocate', ['-l', '60M', `${disk}/ballast`]);
  return async () => void execFileSync('rm', [`${disk}/ballast`]);
}

function processHarms({ service }: World): Record<string, Harm> {
  const killed = (part: 'api' | 'worker' | 'redis'): Harm => ({
    hurt: () => service.signal(part, 'SIGKILL'),
    heal: async () => service.start(part),
  });
  return {
    // With the threshold lowered it fires by itself, and clears with the processes it is about.
    HeadwindMemoryHigh: {
      heal: () => service.signal('api', 'SIGKILL'),
      after: async () => service.start('api'),
    },
    HeadwindApiDown: killed('api'),
    HeadwindWorkerDown: killed('worker'),
    HeadwindRedisAway: killed('redis'),
  };
}
