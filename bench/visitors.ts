import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays } from '../warehouse/ground/dates.ts';
import { round, sum } from '../warehouse/ground/numbers.ts';
import { scorePath, drawQueries } from './api/paths.ts';
import { percentile, type LoadResult } from './api/load.ts';
import { withBenchApi, type BenchApi } from './api/world.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';
import { waitForPort, type ServerProcess } from './stage/server-process.ts';
import { pageDataPath, type Crowd, type Visits } from './visitors/messages.ts';
import { loadAtRate } from './visitors/load-at-rate.ts';

const CACHED_SERVER = path.join(import.meta.dirname, 'visitors/serve-cached.ts');
const CROWD = path.join(import.meta.dirname, 'visitors/crowd.ts');
const CALLS_PER_S = 1_000;
const VISITORS = 200;
const ROUNDS = 21;
const RUN_MS = 2_500;
/**
 * Number of different flights that visitors open. The page of each flight is built once and then served from the cache,
 * as when many people follow the same link.
 */
const FLIGHTS = 60;

/** Runs the visitors at the lowest priority, because real visitors use their own machines. */
const IDLE_PRIORITY = { execPath: 'chrt', execArgv: ['--idle', '0', process.execPath] };

const NO_VISITORS = 'none';
const OTHER_SERVER = `${VISITORS} visitors of a server with stored bytes`;
const PAGE_VISITORS = `${VISITORS} visitors of the pages`;
const CASES = [NO_VISITORS, OTHER_SERVER, PAGE_VISITORS];

const PERCENTILES = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
] as const;

type VisitedRun = { beside: string; result: LoadResult; visits: Visits };

/**
 * Measures 1,000 calls of `/api/score` a second, with and without 200 visitors of the pages. In a third case, the same
 * visitors use a second server that answers from memory. This case shows how much any server for these visitors would
 * slow down the calls on this machine.
 */
export async function benchVisitors(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  const crowd = fork(CROWD, IDLE_PRIORITY);
  try {
    return await withBenchApi(dataDir, { TRUST_PROXY: 'loopback' }, async (world) => {
      const nextQuery = drawQueries(world.flights, randomFrom('callers'));
      const call = () => scorePath(nextQuery(), world.apiKey);
      const visiting = buildCrowd(world);
      const otherServer = await startCachedServer(visiting);
      const stage = { world, crowd, visiting, otherServer, call };
      // This run is a warm-up: the first page starts the thread that builds pages, and bundles the script.
      await measureRun(PAGE_VISITORS, stage);
      const runs: VisitedRun[] = [];
      for (let at = 0; at < ROUNDS; at++) {
        log(`round ${at + 1} of ${ROUNDS}, load average ${round(loadavg()[0] ?? 0, 1)}`);
        // Each case comes first in some rounds. If the machine gets busier, a case that is always first would otherwise
        // seem faster.
        for (let shift = 0; shift < CASES.length; shift++) {
          runs.push(await measureRun(CASES[(at + shift) % CASES.length] as string, stage));
        }
      }
      await otherServer.stop();
      return buildResult(runs, await uncalledCharges(stage));
    });
  } finally {
    crowd.kill();
    await rm(dataDir, { recursive: true });
  }
}

type Stage = {
  world: BenchApi;
  crowd: ChildProcess;
  visiting: Crowd;
  otherServer: ServerProcess;
  call: () => string;
};

async function measureRun(beside: string, stage: Stage, ms = RUN_MS): Promise<VisitedRun> {
  const { world, crowd, visiting, otherServer, call } = stage;
  if (beside !== NO_VISITORS) {
    crowd.send(beside === PAGE_VISITORS ? visiting : { ...visiting, port: otherServer.port });
    // Visitors arrive one after another during the first seconds.
    await sleep(1_000);
  }
  const paths = Array.from({ length: (CALLS_PER_S * ms) / 1_000 }, call);
  const result = await loadAtRate({ port: world.api.port, paths, perSecond: CALLS_PER_S, ms });
  crowd.send('leave');
  const [visits] = (await once(crowd, 'message')) as [Visits];
  return { beside, result, visits: beside === NO_VISITORS ? { requests: 0, failed: 0 } : visits };
}

/** Starts the server that answers with stored bytes, as a child that ends with this process. */
function startCachedServer({ port, flights }: Crowd): Promise<ServerProcess> {
  const flight = flights[0] ?? '';
  return waitForPort(
    fork(CACHED_SERVER, [String(port), `/flights/${flight}`, pageDataPath(flight, '08:00')]),
  );
}

function buildCrowd({ api, flights }: BenchApi): Crowd {
  const from = new Date().toISOString().slice(0, 10);
  const busiest = flights.slice(0, FLIGHTS);
  const pages = [...new Set(busiest.map(({ origin }) => `/airports/${origin}`))].slice(0, 10);
  return {
    port: api.port,
    visitors: VISITORS,
    flights: busiest.map(
      ({ origin, dest, carrier }, at) =>
        `${origin}-${dest}-${carrier}-${addDays(from, 7 + (at % 30))}`,
    ),
    pages: ['/', '/map', '/airlines', '/model', '/status', ...pages],
  };
}

/**
 * Returns the number of calls that were counted for the key minus the number of calls made. The difference comes from
 * visitors' requests that were wrongly counted.
 */
async function uncalledCharges(stage: Stage): Promise<number> {
  const { world, call } = stage;
  const left = async () => {
    const answer = await fetch(`http://127.0.0.1:${world.api.port}${call()}`);
    await answer.arrayBuffer();
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };
  const before = await left();
  const { result, visits } = await measureRun(PAGE_VISITORS, stage, 2_000);
  if (visits.requests === 0) throw new Error('the visitors sent no requests');
  return before - (await left()) - result.requests - 1;
}

function buildResult(runs: VisitedRun[], counted: number): BenchResult {
  const runsBeside = (beside: string) => runs.filter((run) => run.beside === beside);
  /** Divides the latency by the latency of the reference in the same round. */
  const ratios = (beside: string, reference: string, share: number) =>
    runsBeside(beside).map(({ result }, at) => {
      const other = runsBeside(reference)[at] as VisitedRun;
      return percentile(result, share) / percentile(other.result, share);
    });
  const formatSpread = (beside: string) => {
    const pairs = ratios(beside, NO_VISITORS, 0.99).toSorted((a, b) => a - b);
    return [median(pairs), pairs[0] ?? 0, pairs.at(-1) ?? 0].map((ratio) => round(ratio, 2));
  };
  const rows = CASES.map((beside) => {
    const same = runsBeside(beside);
    const at = (share: number) =>
      round(median(same.map(({ result }) => percentile(result, share))), 2);
    return {
      beside,
      'calls/s': Math.round(median(same.map(({ result }) => result.requests / result.seconds))),
      'p50, ms': at(0.5),
      'p90, ms': at(0.9),
      'p99, ms': at(0.99),
      'p99 relative to none: median, least, most': formatSpread(beside).join(', '),
      errors: sum(same.map(({ result }) => result.errors)),
      'requests of visitors': sum(same.map(({ visits }) => visits.requests)),
      'failed requests of visitors': sum(same.map(({ visits }) => visits.failed)),
    };
  });
  const increase = (share: number, reference: string) =>
    round(100 * (median(ratios(PAGE_VISITORS, reference, share)) - 1), 1);
  return {
    part: 'visitors',
    subject: `${CALLS_PER_S} calls of /api/score a second, ${ROUNDS} rounds of ${RUN_MS / 1_000} s for each case; load average ${loadavg()
      .map((load) => round(load, 1))
      .join(', ')}`,
    rows,
    targets: [
      ...[NO_VISITORS, OTHER_SERVER].flatMap((reference) =>
        PERCENTILES.map(([name, share]) => ({
          name: `increase of ${name} relative to ${reference}`,
          measured: increase(share, reference),
          atMost: 10,
          unit: '%',
        })),
      ),
      { name: 'requests of visitors counted to a key', measured: counted, atMost: 0, unit: '' },
      { name: 'errors', measured: sum(rows.map(({ errors }) => errors)), atMost: 0, unit: '' },
    ],
  };
}
