import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { round } from '../warehouse/ground/round.ts';
import { load, percentile, type LoadResult } from './api/load.ts';
import { usageOf } from './api/processes.ts';
import { AIRLINE_ROUTES, syntheticStore, type Flight } from './api/synthetic-store.ts';
import { withBenchApi, withBundledModel, type BenchApi } from './api/world.ts';
import { median, type BenchResult } from './report.ts';
import { openStore, type StoreFiles } from '../warehouse/store/open.ts';
import { saveToRedis } from '../warehouse/store/redis.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';

const OPENINGS = 7;
const LOOK_UPS = 2_000_000;
const SWAPS = 5;
const CONNECTIONS = 32;
/** Time between two publishes: the load before, during and after each. */
const SWAP_EVERY_MS = 2_000;
/** As often as a version being served is looked for. */
const LOOK_MS = 5;

/** What an API needed to come up is handed back by then: node makes its young generation small after eight idle seconds. */
const AT_REST_MS = 15_000;

/** What was measured, and its bound where design sets one. */
type Figure = [name: string, value: number, unit: string, atMost?: number];

/** Opening a big score store, looking flights up in it, holding it in an API, and swapping it under load. */
export async function benchStore(log: (line: string) => void): Promise<BenchResult> {
  const { files, flights } = syntheticStore('2026-01-02T02:30:00.000Z');
  log('opening and looking up');
  const openMs = median(Array.from({ length: OPENINGS }, () => msOf(() => void openStore(files))));
  const lookUpNs = lookUpNsOf(openStore(files), flights);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    const api = await withBenchApi(dataDir, {}, (world) => underLoad(world, log));
    const figures: Figure[] = [
      ['opening a store', openMs, 'ms'],
      ['look-up of an airline-route', lookUpNs, 'ns', 1_000],
      ['memory of an API that holds it', api.residentMb, 'MB', 250],
      ['memory of it after load and swaps', api.residentAfterMb, 'MB', 350],
      ['publish to served, under load', api.servedMs, 'ms', 1_000],
      ['p99 of /api/score while nothing is published', api.calmP99Ms, 'ms'],
      ['p99 of it with a publish every 2 s', api.swapP99Ms, 'ms'],
      ['longest answer with a publish every 2 s', api.swapMaxMs, 'ms'],
      ['failed requests', api.errors, '', 0],
    ];
    return {
      part: 'store',
      subject: `${AIRLINE_ROUTES} airline-routes; swaps under load of ${CONNECTIONS} connections`,
      rows: figures.map(([what, value, unit]) => ({ what, measured: round(value, 1), unit })),
      targets: figures.flatMap(([name, value, unit, atMost]) =>
        atMost === undefined ? [] : [{ name, measured: round(value, 1), unit, atMost }],
      ),
    };
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** Flights in no order of the table, so that memory is read as requests read it. */
function lookUpNsOf(store: ScoreStore, flights: Flight[]): number {
  let found = 0;
  const ms = msOf(() => {
    for (let at = 0; at < LOOK_UPS; at++) {
      const { origin, dest, carrier } = flights[(at * 24_593) % flights.length] as Flight;
      if (store.routeCarrier(origin, dest, carrier)) found += 1;
    }
  });
  if (found !== LOOK_UPS) throw new Error(`only ${found} of ${LOOK_UPS} look-ups found something`);
  return (ms * 1e6) / LOOK_UPS;
}

async function underLoad({ api, paths, redis }: BenchApi, log: (line: string) => void) {
  await sleep(AT_REST_MS);
  const { residentMb } = await usageOf(api.pid);
  // Made beforehand: making one would hold up the client, which is this process.
  const stores: StoreFiles[] = [];
  for (let swap = 0; swap < SWAPS; swap++) {
    const { files } = syntheticStore(new Date(Date.UTC(2026, 1, 1 + swap)).toISOString());
    stores.push(await withBundledModel(files));
  }
  const spell = (ms: number) => load({ port: api.port, paths, connections: CONNECTIONS, ms });
  await spell(SWAP_EVERY_MS);
  log('load without a swap');
  const calm = await spell(SWAPS * SWAP_EVERY_MS);
  log(`${SWAPS} swaps under load`);
  const underWay = spell(SWAPS * SWAP_EVERY_MS);
  const served: number[] = [];
  for (const files of stores) {
    const startedAt = performance.now();
    await saveToRedis(redis, files);
    const address = `http://127.0.0.1:${api.port}${paths[0]}`;
    while ((await fetch(address)).headers.get('x-store-version') !== files.manifest.version) {
      await sleep(LOOK_MS);
    }
    served.push(performance.now() - startedAt);
    await sleep(Math.max(0, SWAP_EVERY_MS - (performance.now() - startedAt)));
  }
  const swapping = await underWay;
  return {
    residentMb,
    residentAfterMb: (await usageOf(api.pid)).residentMb,
    servedMs: median(served),
    calmP99Ms: percentile(calm, 0.99),
    swapP99Ms: percentile(swapping, 0.99),
    swapMaxMs: longest(swapping),
    errors: calm.errors + swapping.errors,
  };
}

function longest({ latencies }: LoadResult): number {
  return latencies.at(-1) ?? Number.NaN;
}

function msOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
