import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round, sum } from '../warehouse/ground/numbers.ts';
import { measureUnchanged, readEtags } from './api/conditional.ts';
import { load, percentile, type LoadResult } from './api/load.ts';
import { startBare, readUsage } from './api/processes.ts';
import { withBenchApi, type BenchApi } from './api/world.ts';
import { batchPath, calendarPath, scorePath, drawQueries } from './api/paths.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';
import type { ServerProcess } from './stage/server-process.ts';

const CONNECTIONS = [1, 32, 128];
/** Number of connections for which the targets are set. */
const TARGET_CONNECTIONS = 32;
const ROUNDS = 5;
const RUN_MS = 2_000;
const WARM_UP_MS = 3_000;
/** Number of paths for one run: more than any server answers, so that no path repeats. */
const PATHS_PER_RUN = 20_000;
const BATCHES = 200;

const BARE = 'bare Koa, {ok:true}';
const BARE_REDIS = 'bare Koa, same Redis call and size';
const SCORE = '/api/score';
const REPEATED = '/api/score, requested before';
const CONDITIONAL = '/api/score, requested before, with ETag';
const BATCH = '/api/score/batch of 50';
const CALENDAR = '/api/calendar';

/** A server, and the paths that one run requests. */
type Subject = {
  server: ServerProcess;
  paths: () => string[];
  connections: number[];
  etags?: readonly string[];
};

/** Result of one server under load for `RUN_MS`. */
type LoadRun = {
  server: string;
  connections: number;
  result: LoadResult;
  /** The server process's CPU time, divided by the number of requests. */
  cpuUs: number;
};

/**
 * Measures `/api/score` under requests like those of users. For comparison, also measures a bare Koa, and a Koa that
 * makes the same Redis call and sends as many bytes. Each server is a separate process. All servers take turns within
 * each round, so that other work on the machine affects them equally.
 */
export async function benchApi(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    return await withBenchApi(dataDir, {}, async (world) => {
      const bodyBytes = await medianBodySize(world);
      const work = { redisUrl: world.redisUrl, apiKey: world.apiKey, bodyBytes };
      const bare = [await startBare(), await startBare(work)] as const;
      try {
        const etags = await readEtags(world);
        const runs = await runRounds(buildSubjects(world, bare, etags), log);
        const sameAfterEqual = await measureUnchanged(world, etags, 'forecasts');
        const sameAfterOther = await measureUnchanged(world, etags, 'other forecasts');
        const subject = `flights of ${world.flights.length} airline-routes by Zipf's law, half with dep_time; answers of ${bodyBytes} bytes`;
        const unchanged = `304s among ${etags.length} repeated calls: ${sameAfterEqual} % after a refresh with equal forecasts, ${sameAfterOther} % after other forecasts`;
        return buildResult(runs, `${subject}; ${unchanged}`);
      } finally {
        await Promise.all(bare.map((server) => server.stop()));
      }
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

function buildSubjects(
  { api, paths, flights, apiKey }: BenchApi,
  [bare, bareRedis]: readonly [ServerProcess, ServerProcess],
  etags: readonly string[],
): Record<string, Subject> {
  const nextQuery = drawQueries(flights, randomFrom('users'));
  const repeat = (count: number, pathOf: () => string) => Array.from({ length: count }, pathOf);
  const fixed = { paths: () => paths, connections: CONNECTIONS };
  const large = { server: api, connections: [TARGET_CONNECTIONS] };
  return {
    [BARE]: { server: bare, ...fixed },
    [BARE_REDIS]: { server: bareRedis, ...fixed },
    [SCORE]: {
      server: api,
      paths: () => repeat(PATHS_PER_RUN, () => scorePath(nextQuery(), apiKey)),
      connections: CONNECTIONS,
    },
    [REPEATED]: { ...large, paths: () => paths },
    [CONDITIONAL]: { ...large, paths: () => paths, etags },
    [BATCH]: { ...large, paths: () => repeat(BATCHES, () => batchPath(nextQuery, apiKey)) },
    [CALENDAR]: {
      ...large,
      paths: () => repeat(PATHS_PER_RUN / 10, () => calendarPath(nextQuery(), apiKey)),
    },
  };
}

/** Returns the median size of 25 answers. */
async function medianBodySize({ api, paths }: BenchApi): Promise<number> {
  const lengths = await Promise.all(
    paths.slice(0, 25).map(async (address) => {
      const answer = await fetch(`http://127.0.0.1:${api.port}${address}`);
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      return (await answer.arrayBuffer()).byteLength;
    }),
  );
  return median(lengths);
}

async function runRounds(
  subjects: Record<string, Subject>,
  log: (line: string) => void,
): Promise<LoadRun[]> {
  const runs: LoadRun[] = [];
  // The API is not warmed up: requests of real users often miss its caches. The other servers are warmed up, because
  // all requests to them are alike.
  for (const [name, { server, paths }] of Object.entries(subjects)) {
    if (name === SCORE) continue;
    const warmUp = { port: server.port, paths: paths(), connections: TARGET_CONNECTIONS };
    await load({ ...warmUp, ms: WARM_UP_MS });
  }
  for (let round = 1; round <= ROUNDS; round++) {
    log(`round ${round} of ${ROUNDS}`);
    for (const connections of CONNECTIONS) {
      for (const [name, subject] of Object.entries(subjects)) {
        if (subject.connections.includes(connections)) {
          runs.push({ ...(await measureRun(subject, connections)), server: name });
        }
      }
    }
  }
  return runs;
}

async function measureRun({ server, paths, etags = [] }: Subject, connections: number) {
  const runPaths = paths();
  const before = await readUsage(server.pid);
  const result = await load({
    ...{ port: server.port, paths: runPaths, etags, connections, ms: RUN_MS },
  });
  const cpuSeconds = (await readUsage(server.pid)).cpuSeconds - before.cpuSeconds;
  return { connections, result, cpuUs: (cpuSeconds * 1e6) / result.requests };
}

function buildResult(runs: LoadRun[], subject: string): BenchResult {
  const figures = (server: string, connections: number, figure: (run: LoadRun) => number) =>
    runs
      .filter((run) => run.server === server && run.connections === connections)
      .map((run) => figure(run));
  const speed = ({ result }: LoadRun) => result.requests / result.seconds;
  const p99 = ({ result }: LoadRun) => percentile(result, 0.99);
  // Ratios compare runs of the same round, because other work on the machine affects both runs equally.
  const ratio = (server: string, connections: number) => {
    const own = figures(SCORE, connections, speed);
    return round(
      median(figures(server, connections, speed).map((value, at) => (own[at] ?? 0) / value)),
      2,
    );
  };
  const at = TARGET_CONNECTIONS;
  return {
    part: 'api',
    subject: `${subject}; medians of ${ROUNDS} rounds, ratios within a round, CPU of the server only`,
    rows: CONNECTIONS.flatMap((connections) => {
      const matchingRuns = runs.filter((run) => run.connections === connections);
      return [...new Set(matchingRuns.map(({ server }) => server))].map((server) => {
        const middle = (figure: (run: LoadRun) => number) =>
          median(figures(server, connections, figure));
        return {
          connections,
          server,
          'requests/s': Math.round(middle(speed)),
          'requests/s, score / this': ratio(server, connections),
          'p50, ms': round(
            middle(({ result }) => percentile(result, 0.5)),
            2,
          ),
          'p99, ms': round(middle(p99), 2),
          'CPU, µs': Math.round(middle(({ cpuUs }) => cpuUs)),
          '304, %': round(100 * middle(({ result }) => result.unchanged / result.requests), 1),
          errors: sum(figures(server, connections, ({ result }) => result.errors)),
        };
      });
    }),
    targets: [
      {
        name: `score against ${BARE_REDIS}, c = ${at}`,
        measured: ratio(BARE_REDIS, at),
        atLeast: 0.6,
        unit: 'times',
      },
      {
        name: `p99 of score, c = ${at}`,
        measured: round(median(figures(SCORE, at, p99)), 2),
        atMost: 15,
        unit: 'ms',
      },
      {
        name: `CPU of score, c = ${at}`,
        measured: Math.round(median(figures(SCORE, at, ({ cpuUs }) => cpuUs))),
        atMost: 60,
        unit: 'µs',
      },
      {
        name: 'CPU of a batch of 50',
        measured: round(median(figures(BATCH, at, ({ cpuUs }) => cpuUs / 1_000)), 2),
        atMost: 1.5,
        unit: 'ms',
      },
      {
        name: 'errors',
        measured: sum(runs.map(({ result }) => result.errors)),
        atMost: 0,
        unit: '',
      },
    ],
  };
}
