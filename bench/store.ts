import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { round } from '../warehouse/ground/numbers.ts';
import { load, percentile, type LoadResult } from './api/load.ts';
import { readUsage } from './api/processes.ts';
import { AIRLINE_ROUTES, syntheticStore, type Flight } from './api/synthetic-store.ts';
import { withBenchApi, withBundledModel, type BenchApi } from './api/world.ts';
import { median, type BenchResult } from './report.ts';
import { openStore } from '../warehouse/store/open.ts';
import type { StoreFiles } from '../warehouse/store/store-manifest.ts';
import { saveToRedis } from '../warehouse/store/redis.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';

const OPENINGS = 7;
const LOOK_UPS = 2_000_000;
const SWAPS = 5;
const CONNECTIONS = 32;
/** Time between two publishes. It is long enough to measure the load before, during and after each publish. */
const SWAP_EVERY_MS = 2_000;
/** Time between two checks of which store version the API uses. */
const POLL_MS = 5;

/**
 * Idle time before memory is measured. During this time, the API releases memory that it needed only for its start:
 * Node shrinks its young generation after eight idle seconds.
 */
const IDLE_MS = 15_000;

/** A measured value, and its target if there is one. */
type Figure = [name: string, value: number, unit: string, atMost?: number];

/**
 * Measures how a large score store performs: opening the store, looking flights up, the memory of an API with the
 * store, and replacing the store under load.
 */
export async function benchStore(log: (line: string) => void): Promise<BenchResult> {
  const { files, flights } = syntheticStore('2026-01-02T02:30:00.000Z');
  log('opening the store and looking flights up');
  const openMs = median(
    Array.from({ length: OPENINGS }, () => timeMs(() => void openStore(files))),
  );
  const lookUpNs = measureLookUps(openStore(files), flights);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    const api = await withBenchApi(dataDir, {}, (world) => measureUnderLoad(world, log));
    const figures: Figure[] = [
      ['opening a store', openMs, 'ms'],
      ['look-up of an airline-route', lookUpNs, 'ns', 1_000],
      ['memory of an idle API with the store loaded', api.residentMb, 'MB', 250],
      ['memory after load and five swaps', api.residentAfterMb, 'MB', 350],
      ['publish to served, under load', api.servedMs, 'ms', 1_000],
      ['p99 of /api/score without a publish', api.calmP99Ms, 'ms'],
      ['p99 of /api/score with a publish every 2 s', api.swapP99Ms, 'ms'],
      ['longest answer with a publish every 2 s', api.swapMaxMs, 'ms'],
      ['failed requests', api.errors, '', 0],
    ];
    return {
      part: 'store',
      subject: `${AIRLINE_ROUTES} airline-routes; swaps under load of ${CONNECTIONS} connections`,
      rows: figures.map(([measure, value, unit]) => ({ measure, measured: round(value, 1), unit })),
      targets: figures.flatMap(([name, value, unit, atMost]) =>
        atMost === undefined ? [] : [{ name, measured: round(value, 1), unit, atMost }],
      ),
    };
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/**
 * Measures look-ups in random order, because requests also read memory in random order. Returns nanoseconds per
 * look-up.
 */
function measureLookUps(store: ScoreStore, flights: Flight[]): number {
  let foundCount = 0;
  const ms = timeMs(() => {
    for (let at = 0; at < LOOK_UPS; at++) {
      const { origin, dest, carrier } = flights[(at * 24_593) % flights.length] as Flight;
      if (store.routeCarrier(origin, dest, carrier)) foundCount += 1;
    }
  });
  if (foundCount !== LOOK_UPS) {
    throw new Error(`only ${foundCount} of ${LOOK_UPS} look-ups found a flight`);
  }
  return (ms * 1e6) / LOOK_UPS;
}

async function measureUnderLoad({ api, paths, redis }: BenchApi, log: (line: string) => void) {
  await sleep(IDLE_MS);
  const { residentMb } = await readUsage(api.pid);
  // The versions are built beforehand, because building would block this process, which is also the load client.
  const stores: StoreFiles[] = [];
  for (let swap = 0; swap < SWAPS; swap++) {
    const { files } = syntheticStore(new Date(Date.UTC(2026, 1, 1 + swap)).toISOString());
    stores.push(await withBundledModel(files));
  }
  const runLoad = (ms: number) => load({ port: api.port, paths, connections: CONNECTIONS, ms });
  await runLoad(SWAP_EVERY_MS);
  log('load without a swap');
  const calmResult = await runLoad(SWAPS * SWAP_EVERY_MS);
  log(`${SWAPS} swaps under load`);
  const running = runLoad(SWAPS * SWAP_EVERY_MS);
  const served: number[] = [];
  for (const files of stores) {
    const startedAt = performance.now();
    await saveToRedis(redis, files);
    const address = `http://127.0.0.1:${api.port}${paths[0]}`;
    while ((await fetch(address)).headers.get('x-store-version') !== files.manifest.version) {
      await sleep(POLL_MS);
    }
    served.push(performance.now() - startedAt);
    await sleep(Math.max(0, SWAP_EVERY_MS - (performance.now() - startedAt)));
  }
  const swapResult = await running;
  return {
    residentMb,
    residentAfterMb: (await readUsage(api.pid)).residentMb,
    servedMs: median(served),
    calmP99Ms: percentile(calmResult, 0.99),
    swapP99Ms: percentile(swapResult, 0.99),
    swapMaxMs: longestMs(swapResult),
    errors: calmResult.errors + swapResult.errors,
  };
}

function longestMs({ latencies }: LoadResult): number {
  return latencies.at(-1) ?? Number.NaN;
}

function timeMs(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
