import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countWorkers, type Queues } from '../../jobs/queue/queues.ts';
import { requestLive } from '../../jobs/queue/requests.ts';
import { createCallBudget } from '../../jobs/wiring/weather-calls.ts';
import { load, type LoadResult } from '../api/load.ts';
import { readUsage } from '../api/processes.ts';
import type { BenchApi } from '../api/world.ts';

/** The name of upstreams that answer correctly. */
export const HEALTHY = 'healthy';
export const CONNECTIONS = 8;

const JOBS_MAIN = path.join(import.meta.dirname, '../../jobs/main.ts');
const RUN_MS = 2_000;
const TIMEOUT_MS = 60_000;
/** The number of malformed feeds in the public test data. */
const FEEDS = 10;
/** Interval of the requests for a refresh. A request during a refresh starts no second refresh. */
const REFRESH_EVERY_MS = 250;

/** Result of a run under load while a worker refreshes from one kind of upstream. */
export type LiveRun = {
  upstream: string;
  result: LoadResult;
  isWorkerAlive: boolean;
  peakMb: number;
};

/** Parts that all runs share. */
export type Bench = { dataDir: string; world: BenchApi; queues: Queues };

/**
 * Starts a worker with the upstream at the address `base`, and measures the API under load while the worker refreshes.
 */
export async function measureRun(upstream: string, base: string, bench: Bench): Promise<LiveRun> {
  const { world, queues } = bench;
  const worker = startWorker(base, bench);
  const isOver = new AbortController();
  let refreshing = Promise.resolve();
  try {
    await waitUntil(async () => (await countWorkers(queues)) > 0);
    refreshing = keepRefreshing(queues, isOver.signal);
    if (upstream === HEALTHY) await waitUntil(() => hasLiveInputs(world));
    const { port } = world.api;
    const options = { port, paths: world.paths, connections: CONNECTIONS, ms: RUN_MS };
    const result = await load(options);
    const isWorkerAlive = worker.exitCode === null && worker.signalCode === null;
    return { upstream, result, isWorkerAlive, peakMb: (await readUsage(worker.pid ?? 0)).peakMb };
  } finally {
    isOver.abort();
    await refreshing;
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    // Empties the queue, so that the next worker starts without old jobs. Also ends any back-off for the weather
    // service.
    await queues.queue('live').obliterate({ force: true });
    await createCallBudget(world.redis, false, () => new Date()).pause(1);
  }
}

function startWorker(base: string, { dataDir, world }: Bench): ChildProcess {
  const feeds = Array.from({ length: FEEDS }, (_, at) => `${base}/feed/${at}`);
  return fork(JOBS_MAIN, ['worker'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      REDIS_URL: world.redisUrl,
      WEATHER_FORECAST_URL: `${base}/forecast`,
      NEWS_FEEDS: feeds.join(' '),
      NAS_STATUS_URL: `${base}/nas`,
    },
  });
}

async function keepRefreshing(queues: Queues, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await requestLive(queues, 'refresh-news');
    await requestLive(queues, 'refresh-weather');
    await requestLive(queues, 'refresh-nas');
    await sleep(REFRESH_EVERY_MS);
  }
}

/** Whether the score of a flight in the next days uses forecast and news. */
async function hasLiveInputs({ api, paths }: BenchApi): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${api.port}${paths[0]}&include=lineage`);
  const { components, lineage } = (await answer.json()) as {
    components: { key: string; value: number }[];
    lineage: { weather_dep: { basis: string } };
  };
  const risk = components.find(({ key }) => key === 'event_risk')?.value ?? 0;
  return risk > 0 && lineage.weather_dep.basis === 'forecast';
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!(await isTrue())) {
    if (Date.now() > end) {
      throw new Error(
        `the worker did not start, or delivered no live inputs, within ${TIMEOUT_MS / 1_000} s`,
      );
    }
    await sleep(100);
  }
}
