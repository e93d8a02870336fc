import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { createKeystore, type Keystore } from '../api/keys/keystore.ts';
import { connectRedis, untilReady } from '../api/keys/redis.ts';
import { readConfig } from '../jobs/config.ts';
import { openRedis } from '../jobs/redis-session.ts';
import { createSteps } from '../jobs/steps.ts';
import { btsFileName } from '../pipelines/flights/months.ts';
import { writeBtsMonth } from './generate/bts-month.ts';

/** A whole service in a temporary folder: the Redis of a data folder, a small published history, API processes. */
export type TrialService = {
  ports: number[];
  keys: Keystore;
  redis: Redis;
  /** Ends Redis with SIGKILL; it is started again at once, as under `make run`. */
  killRedis: () => Promise<void>;
  /** Waits until every API process can answer calls with a key. */
  untilHealthy: () => Promise<void>;
  /** Exit code or signal of API processes that ended by themselves. */
  ended: () => (number | string)[];
  /** All that the API processes have printed. */
  log: () => string;
  stop: () => Promise<void>;
};

const API = fileURLToPath(new URL('../api/main.ts', import.meta.url));
const ORPHAN_GUARD = new URL('../jobs/orphan-guard.ts', import.meta.url).href;
const MONTH = '2025-07';
const ROWS = 2_000;
const HEALTHY_WITHIN_MS = 20_000;

/** Starts it with that many API processes; `stop` leaves nothing behind. */
export async function startTrial(apis: number): Promise<TrialService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-trial-'));
  const session = await openRedis(readConfig({ DATA_DIR: folder }), 'trial');
  const redis = connectRedis(session.url);
  await untilReady(redis, HEALTHY_WITHIN_MS);
  await publishHistory(folder, session.url);
  const processes = Array.from({ length: apis }, (_, at) =>
    startApi({ REDIS_URL: session.url, DATA_DIR: path.join(folder, `api-${at}`) }),
  );
  const ports = await Promise.all(processes.map(({ port }) => port));
  const service: TrialService = {
    ports,
    redis,
    keys: createKeystore(redis),
    killRedis: async () => {
      const pid = await readFile(path.join(folder, 'redis', 'redis.pid'), 'utf8');
      process.kill(Number(pid), 'SIGKILL');
    },
    untilHealthy: async () => {
      await Promise.all(ports.map(untilHealthy));
      await untilReady(redis, HEALTHY_WITHIN_MS);
    },
    ended: () => processes.flatMap(({ child }) => child.exitCode ?? child.signalCode ?? []),
    log: () => processes.map(({ log }) => log()).join(''),
    stop: async () => {
      await Promise.all(processes.map(({ child }) => end(child)));
      redis.disconnect();
      await session.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await service.untilHealthy();
  return service;
}

async function publishHistory(folder: string, redisUrl: string): Promise<void> {
  const file = path.join(folder, btsFileName(MONTH));
  await writeBtsMonth(file, { month: MONTH, rows: ROWS });
  const redis = new Redis(redisUrl);
  const steps = createSteps({ dataDir: folder, codeVersion: 'trial', offline: true }, redis);
  const silent = () => undefined;
  await steps.extractFile({ path: file }, silent);
  await steps.loadMonths([MONTH], silent);
  await steps.buildFeatures(silent);
  await steps.publishStore(silent);
  redis.disconnect();
}

function startApi(settings: Record<string, string>) {
  const child = fork(API, ['serve'], {
    silent: true,
    execArgv: ['--import', ORPHAN_GUARD],
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
  });
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const port = once(child, 'message').then(([message]) => (message as { port: number }).port);
  return { child, port, log: () => printed };
}

async function untilHealthy(port: number): Promise<void> {
  const until = Date.now() + HEALTHY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    if (Date.now() > until) throw new Error(`the API on port ${port} does not get healthy`);
    await sleep(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
