import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sum } from '../warehouse/ground/sum.ts';
import { load, percentile, type LoadResult } from './api/load.ts';
import { startBare, usageOf } from './api/processes.ts';
import { withBenchApi, type BenchApi } from './api/world.ts';
import { median, type BenchResult } from './report.ts';
import type { ServerProcess } from './stage/server-process.ts';

const CONNECTIONS = [1, 32, 128];
/** What the targets are set for. */
const TARGET_CONNECTIONS = 32;
const ROUNDS = 7;
const SPELL_MS = 2_000;
const WARM_UP_MS = 3_000;

const BARE = 'bare Koa, {ok:true}';
const BARE_REDIS = 'bare Koa, same Redis call and size';
const SCORE = '/api/score, all in';

/** One server under load for a while. */
type Spell = {
  server: string;
  connections: number;
  result: LoadResult;
  /** CPU time of the server process for each request. */
  cpuUs: number;
};

/**
 * `/api/score` beside a bare Koa, and one that makes the same Redis call and sends as many bytes. Each server is a
 * process of its own; they take turns in every round, so that a busy moment of the machine touches all of them.
 */
export async function benchApi(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    return await withBenchApi(dataDir, {}, async (world) => {
      const bodyBytes = await typicalBytes(world);
      const work = { redisUrl: world.redisUrl, apiKey: world.apiKey, bodyBytes };
      const bare = [await startBare(), await startBare(work)] as const;
      try {
        const servers = { [BARE]: bare[0], [BARE_REDIS]: bare[1], [SCORE]: world.api };
        const spells = await rounds(servers, world.paths, log);
        const subject = `${world.paths.length} different flights, answers of ${bodyBytes} bytes`;
        return resultOf(spells, subject);
      } finally {
        await Promise.all(bare.map((server) => server.stop()));
      }
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
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
  servers: Record<string, ServerProcess>,
  paths: string[],
  log: (line: string) => void,
): Promise<Spell[]> {
  const spells: Spell[] = [];
  for (const { port } of Object.values(servers)) {
    await load({ port, paths, connections: TARGET_CONNECTIONS, ms: WARM_UP_MS });
  }
  for (let round = 1; round <= ROUNDS; round++) {
    log(`round ${round} of ${ROUNDS}`);
    for (const connections of CONNECTIONS) {
      for (const [server, { port, pid }] of Object.entries(servers)) {
        const before = await usageOf(pid);
        const result = await load({ port, paths, connections, ms: SPELL_MS });
        const cpuSeconds = (await usageOf(pid)).cpuSeconds - before.cpuSeconds;
        spells.push({ server, connections, result, cpuUs: (cpuSeconds * 1e6) / result.requests });
      }
    }
  }
  return spells;
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
    );
  };
  const at = TARGET_CONNECTIONS;
  return {
    part: 'api',
    subject: `${subject}; medians of ${ROUNDS} rounds, ratios within a round, CPU of the server alone`,
    rows: CONNECTIONS.flatMap((connections) =>
      [BARE, BARE_REDIS, SCORE].map((server) => {
        const middle = (figure: (spell: Spell) => number) =>
          median(figures(server, connections, figure));
        return {
          connections,
          server,
          'requests/s': Math.round(middle(speed)),
          'score: times it': ratio(server, connections),
          'p50, ms': round(middle(({ result }) => percentile(result, 0.5))),
          'p99, ms': round(middle(p99)),
          'CPU, µs': Math.round(middle(({ cpuUs }) => cpuUs)),
          errors: sum(figures(server, connections, ({ result }) => result.errors)),
        };
      }),
    ),
    targets: [
      {
        name: `score against ${BARE_REDIS}, c = ${at}`,
        measured: ratio(BARE_REDIS, at),
        atLeast: 0.85,
        unit: 'times',
      },
      {
        name: `score against ${BARE}, c = ${at}`,
        measured: ratio(BARE, at),
        atLeast: 0.5,
        unit: 'times',
      },
      {
        name: `p99 of score, c = ${at}`,
        measured: round(median(figures(SCORE, at, p99))),
        atMost: 25,
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

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
