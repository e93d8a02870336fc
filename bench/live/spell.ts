import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countWorkers, type Queues } from '../../jobs/queue/queues.ts';
import { requestLive } from '../../jobs/queue/requests.ts';
import { weatherCalls } from '../../jobs/wiring/weather-calls.ts';
import { load, type LoadResult } from '../api/load.ts';
import { usageOf } from '../api/processes.ts';
import type { BenchApi } from '../api/world.ts';

/** Upstreams that answer as they should. */
export const WELL = 'well';
export const CONNECTIONS = 8;

const JOBS_MAIN = path.join(import.meta.dirname, '../../jobs/main.ts');
const SPELL_MS = 2_000;
const PATIENCE_MS = 60_000;
/** As many as there are malformed feeds in the public test data. */
const FEEDS = 10;
/** Finished refreshes are asked for again so often. */
const REFRESH_EVERY_MS = 250;

/** The same load while a worker refreshes from one kind of upstream. */
export type Spell = { upstream: string; result: LoadResult; survived: boolean; peakMb: number };

/** What the spells have in common. */
export type Bench = { dataDir: string; world: BenchApi; queues: Queues };

/** Starts a worker on the upstream at that address, and puts the API under load while it refreshes. */
export async function spellOf(upstream: string, base: string, bench: Bench): Promise<Spell> {
  const { world, queues } = bench;
  const worker = startWorker(base, bench);
  const isOver = new AbortController();
  let refreshing = Promise.resolve();
  try {
    await until(async () => (await countWorkers(queues)) > 0);
    refreshing = keepRefreshing(queues, isOver.signal);
    if (upstream === WELL) await until(() => usesLiveInputs(world));
    const { port } = world.api;
    const asked = { port, paths: world.paths, connections: CONNECTIONS, ms: SPELL_MS };
    const result = await load(asked);
    const survived = worker.exitCode === null && worker.signalCode === null;
    return { upstream, result, survived, peakMb: (await usageOf(worker.pid ?? 0)).peakMb };
  } finally {
    isOver.abort();
    await refreshing;
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    // The next worker begins with nothing under way and nobody to be left alone.
    await queues.queue('live').obliterate({ force: true });
    await weatherCalls(world.redis, false, () => new Date()).pause(1);
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

/** Whether a flight of the next days is scored with a forecast and with the news. */
async function usesLiveInputs({ api, paths }: BenchApi): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${api.port}${paths[0]}&include=lineage`);
  const { components, lineage } = (await answer.json()) as {
    components: { key: string; value: number }[];
    lineage: { weather_dep: { basis: string } };
  };
  const risk = components.find(({ key }) => key === 'event_risk')?.value ?? 0;
  return risk > 0 && lineage.weather_dep.basis === 'forecast';
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('the worker brings no live inputs');
    await sleep(100);
  }
}
