import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import { Redis } from 'ioredis';
import { connectRedis } from '../../api/redis.ts';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { sealManifest } from '../../warehouse/store/manifest.ts';
import { withModel } from '../../warehouse/store/model.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import { syntheticStore, type Flight } from '../api/synthetic-store.ts';

/** Size of the disk with the data folder: enough for any job, but so little that `HeadwindDiskLow` fires. */
export const SMALL_DISK = '512m';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A whole service whose parts can be harmed one by one. */
export type Service = {
  redis: Redis;
  redisUrl: string;
  otherRedisUrl: string;
  /** The worker's data folder, on a small disk. */
  disk: string;
  /** The folder with the worker's shared lake. */
  lake: string;
  /** Starts a part. `settings` replace environment variables of the part. */
  start: (part: Part, settings?: Record<string, string>) => void;
  /** Sends a signal to the part and its child processes. */
  signal: (part: Part, signal: NodeJS.Signals) => Promise<void>;
  pid: (part: Part) => number;
  stop: () => void;
};

export type Part = 'redis' | 'api' | 'worker' | 'otherRedis' | 'otherApi';

/** Prepares a service in a folder; starts no part yet. */
export function createService(
  folder: string,
  ports: { http: number[]; api: number[]; worker: number },
): Service {
  const socket = (name: string) => path.join(folder, `${name}.sock`);
  const [http = 0, otherHttp = 0] = ports.http;
  const [metrics = 0, otherMetrics = 0] = ports.api;
  const redis = (name: string) => [
    ...['redis-server', '--port', '0', '--unixsocket', socket(name), '--dir', folder],
    ...['--appendonly', 'yes', '--appenddirname', `aof-${name}`, '--save', ''],
  ];
  const program = [process.execPath, path.join(ROOT, 'jobs/main.ts')];
  const api = (port: number, metricsPort: number, name: string) => ({
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    API_WORKERS: '2',
    LOG_LEVEL: 'error',
    REDIS_URL: socket(name),
    DATA_DIR: path.join(folder, `api-${name}`),
  });
  const parts: Record<Part, { command: string[]; env: Record<string, string> }> = {
    redis: { command: redis('own'), env: {} },
    otherRedis: { command: redis('other'), env: {} },
    api: { command: [...program, 'serve'], env: api(http, metrics, 'own') },
    otherApi: { command: [...program, 'serve'], env: api(otherHttp, otherMetrics, 'other') },
    worker: {
      command: [...program, 'worker'],
      env: {
        REDIS_URL: socket('own'),
        DATA_DIR: path.join(folder, 'data'),
        LAKE_URL: path.join(folder, 'lake'),
        // The default value would be too large for the small disk, so that no job could start.
        MIN_FREE_MB: '10',
        WORKER_METRICS_PORT: String(ports.worker),
        OFFLINE: '1',
        LOG_LEVEL: 'fatal',
      },
    },
  };
  const running = new Map<Part, ChildProcess>();
  const connection = new Redis(socket('own'), { lazyConnect: true, maxRetriesPerRequest: null });
  connection.on('error', () => undefined);
  const pid = (part: Part) => running.get(part)?.pid ?? 0;
  return {
    redis: connection,
    redisUrl: socket('own'),
    otherRedisUrl: socket('other'),
    disk: path.join(folder, 'data'),
    lake: path.join(folder, 'lake'),
    start: (part, settings) => {
      const { command, env } = parts[part];
      const [file = '', ...args] = command;
      const { PATH } = process.env;
      const child = spawn(file, args, {
        env: { PATH, ...env, ...settings },
        stdio: 'ignore',
        detached: true,
      });
      running.set(part, child);
    },
    signal: async (part, signal) => {
      const child = running.get(part);
      if (!child || !isAlive(child)) return;
      process.kill(-pid(part), signal);
      if (signal === 'SIGKILL') await once(child, 'exit');
    },
    pid,
    stop: () => {
      connection.disconnect();
      for (const child of running.values()) {
        if (isAlive(child)) process.kill(-child.pid!, 'SIGKILL');
      }
    },
  };
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Builds a whole store, or one without a model or with old history. */
export async function buildStore({
  hasModel = true,
  lastMonth = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 7),
} = {}): Promise<{ files: StoreFiles; flight: Flight }> {
  const { files, flights } = syntheticStore(new Date().toISOString());
  const { version: _, ...content } = files.manifest;
  const manifest = sealManifest({ ...content, months: [lastMonth], lastLevelMonth: lastMonth });
  const plain = { ...files, manifest };
  const [flight] = flights as [Flight];
  if (!hasModel) return { files: plain, flight };
  const bytes = await readFile(path.join(ROOT, 'models/bundled/model.onnx'));
  return {
    files: withModel(plain, { version: 'bundled', bytes, contract: MODEL_CONTRACT.contract }),
    flight,
  };
}

/** Publishes the store as soon as the Redis at `redisUrl` answers. */
export async function publish(redisUrl: string, files: StoreFiles): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  await saveToRedis(redis, files);
  redis.disconnect();
}

/** Creates a key with this monthly limit. */
export async function createKey(redisUrl: string, monthlyLimit: number): Promise<string> {
  const redis = connectRedis(redisUrl);
  await once(redis, 'ready');
  const owner = { name: 'alerts', email: 'alerts@headwind.example', monthlyLimit };
  const { apiKey } = await createKeystore(redis).create(owner, 'test', new Date());
  redis.disconnect();
  return apiKey;
}
