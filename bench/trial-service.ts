import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Redis } from 'ioredis';
import { openRedisClient } from '../warehouse/ground/redis-address.ts';
import { createKeystore, type Keystore } from '../warehouse/keyring/keystore.ts';
import { connectRedis, waitUntilReady } from '../api/redis.ts';
import { readConfig } from '../jobs/config.ts';
import { openRedis } from '../jobs/processes/redis-session.ts';
import { createSteps } from '../jobs/wiring/steps.ts';
import { btsFileName } from '../pipelines/flights/months.ts';
import { startApi } from './stage/api-process.ts';
import { writeBtsMonth } from './generate/bts-month.ts';

/** A whole service in a temporary folder: a Redis, a small published history, and API processes. */
export type TrialService = {
  ports: number[];
  keys: Keystore;
  redis: Redis;
  /**
   * Ends Redis with SIGKILL and waits until the connection of `redis` is closed. Redis starts again at once, as under
   * `make run`.
   */
  killRedis: () => Promise<void>;
  /** Waits until every API process can answer calls with a key. */
  untilHealthy: () => Promise<void>;
  /** Returns the exit codes or signals of API processes that have ended. */
  ended: () => (number | string)[];
  /** Returns the output of all API processes so far. */
  log: () => string;
  stop: () => Promise<void>;
};

const MONTH = '2025-07';
const ROWS = 2_000;
const REDIS_WITHIN_MS = 20_000;

/** Starts a service with this many API processes; `stop` removes the whole service. */
export async function startTrial(apis: number): Promise<TrialService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-trial-'));
  const session = await openRedis(readConfig({ DATA_DIR: folder }), 'trial');
  const redis = connectRedis(session.url);
  await waitUntilReady(redis, REDIS_WITHIN_MS);
  await publishHistory(folder, session.url);
  const processes = await Promise.all(
    Array.from({ length: apis }, (_, at) =>
      startApi({ REDIS_URL: session.url, DATA_DIR: path.join(folder, `api-${at}`) }),
    ),
  );
  const service: TrialService = {
    ports: processes.map(({ port }) => port),
    redis,
    keys: createKeystore(redis),
    killRedis: async () => {
      const pid = await readFile(path.join(folder, 'redis', 'redis.pid'), 'utf8');
      const isClosed = new Promise((resolve) => redis.once('close', resolve));
      process.kill(Number(pid), 'SIGKILL');
      await isClosed;
    },
    untilHealthy: async () => {
      await Promise.all(processes.map((api) => api.untilHealthy()));
      await waitUntilReady(redis, REDIS_WITHIN_MS);
    },
    ended: () => processes.flatMap(({ exitReason }) => exitReason() ?? []),
    log: () => processes.map(({ log }) => log()).join(''),
    stop: async () => {
      await Promise.all(processes.map(({ stop }) => stop()));
      redis.disconnect();
      await session.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await service.untilHealthy();
  return service;
}

/** Publishes a small made-up history from this folder to this Redis. */
export async function publishHistory(
  folder: string,
  redisUrl: string,
  month = MONTH,
): Promise<void> {
  const file = path.join(folder, btsFileName(month));
  await writeBtsMonth(file, { month, rows: ROWS });
  const redis = openRedisClient(redisUrl);
  const steps = createSteps({ dataDir: folder, codeVersion: 'trial', offline: true }, redis);
  const silent = () => undefined;
  await steps.extractFile({ path: file }, silent);
  await steps.loadMonths([month], silent);
  await steps.buildFeatures(silent);
  await steps.publishStore(silent);
  redis.disconnect();
}
