import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { closeCheckout, openCheckout, ownCheckout } from './against/checkout.ts';
import { requestKinds, SCORE } from './against/request-kinds.ts';
import { roundsOf } from './against/rounds.ts';
import { withSide, type Side } from './against/side.ts';
import { drawQueries, scorePath } from './api/paths.ts';
import { load, percentile } from './api/load.ts';
import { startBare, readUsage } from './api/processes.ts';
import { btsFileName } from '../pipelines/flights/months.ts';
import { round, sum } from '../warehouse/ground/numbers.ts';
import { openStore } from '../warehouse/store/open.ts';
import { currentVersion, readFromRedis } from '../warehouse/store/redis.ts';
import { writeBtsMonth } from './generate/bts-month.ts';
import { randomFrom } from './generate/random.ts';
import { formatQuartiles, median, type BenchResult } from './report.ts';
import type { Flight } from './api/synthetic-store.ts';
import type { ServerProcess } from './stage/server-process.ts';

const MONTH = '2025-03';
const ROWS = 600_000;
/**
 * Number of times that all servers are started, and number of rounds after each start. Two processes of the same code
 * may differ by a tenth for as long as they run. With only one process per version, a small difference between the
 * versions would not be visible.
 */
const STARTS = 6;
const ROUNDS_PER_START = 4;
const RUN_MS = 1_500;
const CONNECTIONS = 32;
const UPSTREAM = path.join(import.meta.dirname, 'live/run-upstream.ts');

const [BEFORE, NOW, BARE] = ['before', 'now', 'bare Koa, same Redis call and size'];

type LoadRun = {
  request: string;
  side: string;
  perSecond: number;
  cpuUs: number;
  p99: number;
  errors: number;
};

/**
 * Compares `/api/score`, batches and calendars of this version with the same endpoints of another version. Each version
 * loads and publishes the same history with its own code. Both versions run at the same time, and get the same load in
 * turn. The servers are started several times.
 */
export async function benchAgainst(
  place: string,
  log: (line: string) => void,
): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-against-'));
  const upstream = fork(UPSTREAM);
  try {
    const [{ healthy }] = (await once(upstream, 'message')) as [{ healthy: string }];
    log(`making a month of ${ROWS} flights`);
    const history = path.join(folder, btsFileName(MONTH));
    await writeBtsMonth(history, { month: MONTH, rows: ROWS });
    const options = { history, upstream: healthy };
    const dirs = await Promise.all(
      [BEFORE, NOW].map(async (name) => {
        const dataDir = path.join(folder, name);
        await mkdir(dataDir);
        return dataDir;
      }),
    );
    const ownSide = await ownCheckout();
    const other = await openCheckout(place, folder);
    log(`${place} loads and publishes the month`);
    return await withSide({ ...options, checkout: other, dataDir: dirs[0] ?? '' }, (before) => {
      log('this version loads and publishes the month');
      const own = { ...options, checkout: ownSide, dataDir: dirs[1] ?? '' };
      return withSide(own, (now) => compare(before, now, place, log));
    });
  } finally {
    upstream.kill();
    await closeCheckout(folder);
    await rm(folder, { recursive: true });
  }
}

async function compare(
  before: Side,
  now: Side,
  place: string,
  log: (line: string) => void,
): Promise<BenchResult> {
  const flights = await busiestFlights(now);
  const runs: LoadRun[] = [];
  for (let start = 0; start < STARTS; start++) {
    log(`start ${start + 1} of ${STARTS}`);
    runs.push(...(await measureStart(start, { before, now }, flights, log)));
  }
  return buildResult(runs, `${flights.length} airline-routes, against ${place}`);
}

/** Starts all servers, measures their rounds, and ends the servers. Each version starts first in every other call. */
async function measureStart(
  start: number,
  sides: { before: Side; now: Side },
  flights: Flight[],
  log: (line: string) => void,
): Promise<LoadRun[]> {
  const names: ('before' | 'now')[] = start % 2 === 0 ? ['before', 'now'] : ['now', 'before'];
  const servers: ServerProcess[] = [];
  try {
    for (const name of names) servers.push(await sides[name].start());
    const running = (name: 'before' | 'now'): RunningSide => ({
      server: servers[names.indexOf(name)] as ServerProcess,
      apiKey: sides[name].apiKey,
    });
    const [before, now] = [running('before'), running('now')];
    const bodyBytes = await medianBodySize(now, flights);
    const bare = await startBare({ redisUrl: sides.now.redisUrl, apiKey: now.apiKey, bodyBytes });
    servers.push(bare);
    return await runRounds({ start, before, now, bare }, flights, log);
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()));
  }
}

/**
 * Returns the published airline-routes, those with the most flights first. The load requests the first airline-routes
 * most often.
 */
async function busiestFlights({ redisUrl }: Side): Promise<Flight[]> {
  const redis = new Redis(redisUrl);
  try {
    const store = openStore(await readFromRedis(redis, (await currentVersion(redis)) ?? ''));
    const count = ({ origin, dest, carrier }: Flight) =>
      store.routeCarrier(origin, dest, carrier)?.flightCount ?? 0;
    return [...store.airlineRoutes()].toSorted((a, b) => count(b) - count(a));
  } finally {
    redis.disconnect();
  }
}

async function medianBodySize({ server, apiKey }: RunningSide, flights: Flight[]): Promise<number> {
  const nextQuery = drawQueries(flights, randomFrom('sizes'));
  const sizes: number[] = [];
  for (let at = 0; at < 25; at++) {
    const answer = await fetch(`http://127.0.0.1:${server.port}${scorePath(nextQuery(), apiKey)}`);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    sizes.push((await answer.arrayBuffer()).byteLength);
  }
  return median(sizes);
}

type RunningSide = { server: ServerProcess; apiKey: string };
type Sides = { start: number; before: RunningSide; now: RunningSide; bare: ServerProcess };

async function runRounds(
  { start, before, now, bare }: Sides,
  flights: Flight[],
  log: (line: string) => void,
): Promise<LoadRun[]> {
  const runs: LoadRun[] = [];
  for (const { at, isWarmUp, inOrder } of roundsOf(ROUNDS_PER_START, log)) {
    for (const { name, pathsFor } of requestKinds(`${start} ${at}`, flights)) {
      const servers: [string, ServerProcess, string][] = [
        [BEFORE, before.server, before.apiKey],
        [NOW, now.server, now.apiKey],
        ...(name === SCORE ? [[BARE, bare, now.apiKey] as [string, ServerProcess, string]] : []),
      ];
      for (const [side, server, apiKey] of inOrder(servers)) {
        const run = await measureRun(server, pathsFor(apiKey));
        if (!isWarmUp) runs.push({ request: name, side, ...run });
      }
    }
  }
  return runs;
}

async function measureRun(server: ServerProcess, paths: string[]) {
  const before = await readUsage(server.pid);
  const result = await load({ port: server.port, paths, connections: CONNECTIONS, ms: RUN_MS });
  const cpuSeconds = (await readUsage(server.pid)).cpuSeconds - before.cpuSeconds;
  return {
    perSecond: result.requests / result.seconds,
    cpuUs: (1e6 * cpuSeconds) / result.requests,
    p99: percentile(result, 0.99),
    errors: result.errors,
  };
}

function buildResult(runs: LoadRun[], subject: string): BenchResult {
  const figures = (request: string, side: string, figure: (run: LoadRun) => number) =>
    runs.filter((run) => run.request === request && run.side === side).map(figure);
  /** Compares the two runs of the same round, because other work on the machine affects both equally. */
  const ratios = (request: string, side: string, figure: (run: LoadRun) => number) => {
    const references = figures(request, side, figure);
    return figures(request, NOW, figure).map((value, at) => value / (references[at] ?? Number.NaN));
  };
  const speed = ({ perSecond }: LoadRun) => perSecond;
  const cpu = ({ cpuUs }: LoadRun) => cpuUs;
  const pairs = [...new Set(runs.map(({ request, side }) => `${request}|${side}`))];
  return {
    part: 'api-against',
    subject: `${subject}; medians of ${STARTS} starts with ${ROUNDS_PER_START} rounds each at c = ${CONNECTIONS}, ratios within a round with their quartiles`,
    rows: pairs.map((pair) => {
      const [request = '', side = ''] = pair.split('|');
      return {
        request,
        side,
        'requests/s': Math.round(median(figures(request, side, speed))),
        'requests/s, now / this side': formatQuartiles(ratios(request, side, speed)),
        'CPU, µs': Math.round(median(figures(request, side, cpu))),
        'CPU, now / this side': formatQuartiles(ratios(request, side, cpu)),
        'p99, ms': round(median(figures(request, side, ({ p99 }) => p99)), 1),
        errors: sum(figures(request, side, ({ errors }) => errors)),
      };
    }),
    targets: [
      {
        name: `requests/s of ${SCORE} against ${BEFORE}`,
        measured: round(median(ratios(SCORE, BEFORE, speed)), 2),
        atLeast: 0.95,
        unit: 'times',
      },
      {
        name: `requests/s of ${SCORE} against ${BARE}`,
        measured: round(median(ratios(SCORE, BARE, speed)), 2),
        atLeast: 0.6,
        unit: 'times',
      },
      {
        name: 'errors of this version',
        measured: sum(runs.map(({ side, errors }) => (side === NOW ? errors : 0))),
        atMost: 0,
        unit: '',
      },
    ],
  };
}
