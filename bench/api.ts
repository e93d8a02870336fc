import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round } from '../warehouse/ground/round.ts';
import { sum } from '../warehouse/ground/sum.ts';
import { load, percentile, type LoadResult } from './api/load.ts';
import { startBare, usageOf } from './api/processes.ts';
import { withBenchApi, type BenchApi } from './api/world.ts';
import { batchPath, calendarPath, scorePath, userFlights } from './api/asked.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';
import type { ServerProcess } from './stage/server-process.ts';

const CONNECTIONS = [1, 32, 128];
/** What the targets are set for. */
const TARGET_CONNECTIONS = 32;
const ROUNDS = 5;
const SPELL_MS = 2_000;
const WARM_UP_MS = 3_000;
/** More than any server answers in a spell: nothing is asked for twice but what users ask for twice. */
const STRETCH = 20_000;
const BATCHES = 200;

const BARE = 'bare Koa, {ok:true}';
const BARE_REDIS = 'bare Koa, same Redis call and size';
const SCORE = '/api/score, all in';
const KNOWN = '/api/score, asked for before';
const BATCH = '/api/score/batch of 50';
const CALENDAR = '/api/calendar';

/** A server, and the addresses it is asked for in a spell. */
type Subject = { server: ServerProcess; paths: () => string[]; connections: number[] };

/** One server under load for a while. */
type Spell = {
  server: string;
  connections: number;
  result: LoadResult;
  /** CPU time of the server process for each request. */
  cpuUs: number;
};

/**
 * `/api/score` as users ask for it, beside a bare Koa, and one that makes the same Redis call and sends as many bytes. Each
 * server is a process of its own; they take turns in every round, so that a busy moment of the machine touches all of them.
 */
export async function benchApi(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    return await withBenchApi(dataDir, {}, async (world) => {
      const bodyBytes = await typicalBytes(world);
      const work = { redisUrl: world.redisUrl, apiKey: world.apiKey, bodyBytes };
      const bare = [await startBare(), await startBare(work)] as const;
      try {
        const spells = await rounds(subjectsOf(world, bare), log);
        const subject = `flights of ${world.flights.length} airline-routes by Zipf's law, half with their hour, answers of ${bodyBytes} bytes`;
        return resultOf(spells, subject);
      } finally {
        await Promise.all(bare.map((server) => server.stop()));
      }
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

function subjectsOf(
  { api, paths, flights, apiKey }: BenchApi,
  [bare, bareRedis]: readonly [ServerProcess, ServerProcess],
): Record<string, Subject> {
  const ask = userFlights(flights, randomFrom('users'));
  const some = (count: number, pathOf: () => string) => Array.from({ length: count }, pathOf);
  const known = { paths: () => paths, connections: CONNECTIONS };
  const large = { server: api, connections: [TARGET_CONNECTIONS] };
  return {
    [BARE]: { server: bare, ...known },
    [BARE_REDIS]: { server: bareRedis, ...known },
    [SCORE]: {
      server: api,
      paths: () => some(STRETCH, () => scorePath(ask(), apiKey)),
      connections: CONNECTIONS,
    },
    [KNOWN]: { ...large, paths: () => paths },
    [BATCH]: { ...large, paths: () => some(BATCHES, () => batchPath(ask, apiKey)) },
    [CALENDAR]: { ...large, paths: () => some(STRETCH / 10, () => calendarPath(ask(), apiKey)) },
  };
}

/** The middle length of a few answers. */
async function typicalBytes({ api, paths }: BenchApi): Promise<number> {
  const lengths = await Promise.all(
    paths.slice(0, 25).map(async (address) => {
      const answer = await fetch(`http://127.0.0.1:${api.port}${address}`);
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      return (await answer.arrayBuffer()).byteLength;
    }),
  );
  return median(lengths);
}

async function rounds(
  subjects: Record<string, Subject>,
  log: (line: string) => void,
): Promise<Spell[]> {
  const spells: Spell[] = [];
  // What users ask for meets memos that are cold; the others are asked for the same again.
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
          spells.push({ ...(await spellOf(subject, connections)), server: name });
        }
      }
    }
  }
  return spells;
}

async function spellOf({ server, paths }: Subject, connections: number) {
  const asked = paths();
  const before = await usageOf(server.pid);
  const result = await load({ port: server.port, paths: asked, connections, ms: SPELL_MS });
  const cpuSeconds = (await usageOf(server.pid)).cpuSeconds - before.cpuSeconds;
  return { connections, result, cpuUs: (cpuSeconds * 1e6) / result.requests };
}

function resultOf(spells: Spell[], subject: string): BenchResult {
  const figures = (server: string, connections: number, figure: (spell: Spell) => number) =>
    spells
      .filter((one) => one.server === server && one.connections === connections)
      .map((spell) => figure(spell));
  const speed = ({ result }: Spell) => result.requests / result.seconds;
  const p99 = ({ result }: Spell) => percentile(result, 0.99);
  // Within a round the two shared the machine; their ratio says more than that of two medians.
  const ratio = (server: string, connections: number) => {
    const own = figures(SCORE, connections, speed);
    return round(
      median(figures(server, connections, speed).map((one, at) => (own[at] ?? 0) / one)),
      2,
    );
  };
  const at = TARGET_CONNECTIONS;
  return {
    part: 'api',
    subject: `${subject}; medians of ${ROUNDS} rounds, ratios within a round, CPU of the server alone`,
    rows: CONNECTIONS.flatMap((connections) => {
      const here = spells.filter((one) => one.connections === connections);
      return [...new Set(here.map(({ server }) => server))].map((server) => {
        const middle = (figure: (spell: Spell) => number) =>
          median(figures(server, connections, figure));
        return {
          connections,
          server,
          'requests/s': Math.round(middle(speed)),
          'score: times it': ratio(server, connections),
          'p50, ms': round(
            middle(({ result }) => percentile(result, 0.5)),
            2,
          ),
          'p99, ms': round(middle(p99), 2),
          'CPU, µs': Math.round(middle(({ cpuUs }) => cpuUs)),
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
        measured: sum(spells.map(({ result }) => result.errors)),
        atMost: 0,
        unit: '',
      },
    ],
  };
}
