import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { closeCheckout, openCheckout, ownCheckout } from './against/checkout.ts';
import { withSide, type Side } from './against/side.ts';
import { batchPath, calendarPath, scorePath, userFlights } from './api/asked.ts';
import { load, percentile } from './api/load.ts';
import { startBare, usageOf } from './api/processes.ts';
import { btsFileName } from '../pipelines/flights/months.ts';
import { round } from '../warehouse/ground/round.ts';
import { sum } from '../warehouse/ground/sum.ts';
import { openStore } from '../warehouse/store/open.ts';
import { currentVersion, readFromRedis } from '../warehouse/store/redis.ts';
import { writeBtsMonth } from './generate/bts-month.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';
import type { Flight } from './api/synthetic-store.ts';
import type { ServerProcess } from './stage/server-process.ts';

const MONTH = '2025-03';
const ROWS = 600_000;
const ROUNDS = 12;
const SPELL_MS = 1_500;
const CONNECTIONS = 32;
/** More than any server answers in a spell: nothing is asked for twice but what users ask for twice. */
const STRETCH = 15_000;
const UPSTREAM = path.join(import.meta.dirname, 'live/run-upstream.ts');

const [BEFORE, NOW, BARE] = ['before', 'now', 'bare Koa, same Redis call and size'];

/** What is asked for, and the part of it that a version with fewer endpoints has, too. */
type Asked = { name: string; pathsFor: (apiKey: string) => string[] };

type Spell = {
  asked: string;
  side: string;
  perSecond: number;
  cpuUs: number;
  p99: number;
  errors: number;
};

/**
 * `/api/score`, batches and calendars of this version beside those of another, in one run: both load the same history and
 * publish it by their own code, both are up at once, and take turns under the same load.
 */
export async function benchAgainst(
  place: string,
  log: (line: string) => void,
): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-against-'));
  const upstream = fork(UPSTREAM);
  try {
    const [{ well }] = (await once(upstream, 'message')) as [{ well: string }];
    log(`making a month of ${ROWS} flights`);
    const history = path.join(folder, btsFileName(MONTH));
    await writeBtsMonth(history, { month: MONTH, rows: ROWS });
    const options = { history, upstream: well };
    const dirs = await Promise.all(
      [BEFORE, NOW].map(async (name) => {
        const dataDir = path.join(folder, name);
        await mkdir(dataDir);
        return dataDir;
      }),
    );
    const other = await openCheckout(place, folder);
    log(`${place} loads and publishes it`);
    return await withSide({ ...options, checkout: other, dataDir: dirs[0] ?? '' }, (before) => {
      log('so does this version');
      const own = { ...options, checkout: ownCheckout(), dataDir: dirs[1] ?? '' };
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
  const flights = await flightsOf(now);
  const bodyBytes = await sizeOf(now, flights);
  const bare = await startBare({ redisUrl: now.redisUrl, apiKey: now.apiKey, bodyBytes });
  try {
    const spells = await rounds({ before, now, bare }, flights, log);
    return resultOf(spells, `${flights.length} airline-routes, against ${place}`);
  } finally {
    await bare.stop();
  }
}

/** The airline-routes of what was published, in the order of how much is flown: the first is asked for most. */
async function flightsOf({ redisUrl }: Side): Promise<Flight[]> {
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

async function sizeOf({ server, apiKey }: Side, flights: Flight[]): Promise<number> {
  const ask = userFlights(flights, randomFrom('sizes'));
  const sizes: number[] = [];
  for (let at = 0; at < 25; at++) {
    const answer = await fetch(`http://127.0.0.1:${server.port}${scorePath(ask(), apiKey)}`);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    sizes.push((await answer.arrayBuffer()).byteLength);
  }
  return median(sizes);
}

type Sides = { before: Side; now: Side; bare: ServerProcess };

async function rounds(
  { before, now, bare }: Sides,
  flights: Flight[],
  log: (line: string) => void,
): Promise<Spell[]> {
  const spells: Spell[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    if (round > 0) log(`round ${round} of ${ROUNDS}, load average ${loadavg()[0]?.toFixed(1)}`);
    for (const { name, pathsFor } of askedIn(round, flights)) {
      const turns: [string, ServerProcess, string][] = [
        [BEFORE, before.server, before.apiKey],
        [NOW, now.server, now.apiKey],
        ...(name === SCORE ? [[BARE, bare, now.apiKey] as [string, ServerProcess, string]] : []),
      ];
      // Each goes first as often as last.
      for (const [side, server, apiKey] of round % 2 === 0 ? turns : turns.toReversed()) {
        const spell = await spellOf(server, pathsFor(apiKey));
        // The first round is for warming up.
        if (round > 0) spells.push({ asked: name, side, ...spell });
      }
    }
  }
  return spells;
}

const [SCORE, BATCH, CALENDAR] = ['/api/score', '/api/score/batch of 50', '/api/calendar'];

/** The same for both sides: the draws of a round begin with the same number. */
function askedIn(at: number, flights: Flight[]): Asked[] {
  const drawn =
    (count: number, pathOf: (ask: ReturnType<typeof userFlights>, key: string) => string) =>
    (apiKey: string) => {
      const ask = userFlights(flights, randomFrom(`round ${at}`));
      return Array.from({ length: count }, () => pathOf(ask, apiKey));
    };
  return [
    { name: SCORE, pathsFor: drawn(STRETCH, (ask, key) => scorePath(ask(), key)) },
    { name: BATCH, pathsFor: drawn(STRETCH / 50, batchPath) },
    {
      name: CALENDAR,
      pathsFor: drawn(STRETCH / 10, (ask, key) => calendarPath(ask(), key)),
    },
  ];
}

async function spellOf(server: ServerProcess, paths: string[]) {
  const before = await usageOf(server.pid);
  const result = await load({ port: server.port, paths, connections: CONNECTIONS, ms: SPELL_MS });
  const cpuSeconds = (await usageOf(server.pid)).cpuSeconds - before.cpuSeconds;
  return {
    perSecond: result.requests / result.seconds,
    cpuUs: (1e6 * cpuSeconds) / result.requests,
    p99: percentile(result, 0.99),
    errors: result.errors,
  };
}

function resultOf(spells: Spell[], subject: string): BenchResult {
  const of = (asked: string, side: string, figure: (spell: Spell) => number) =>
    spells.filter((one) => one.asked === asked && one.side === side).map(figure);
  /** Round by round: within one, both shared the machine. */
  const ratios = (asked: string, than: string, figure: (spell: Spell) => number) => {
    const others = of(asked, than, figure);
    return of(asked, NOW, figure).map((one, at) => one / (others[at] ?? Number.NaN));
  };
  const speed = ({ perSecond }: Spell) => perSecond;
  const cpu = ({ cpuUs }: Spell) => cpuUs;
  const pairs = [...new Set(spells.map(({ asked, side }) => `${asked}|${side}`))];
  return {
    part: 'against',
    subject: `${subject}; medians of ${ROUNDS} rounds at c = ${CONNECTIONS}, ratios within a round with their quartiles`,
    rows: pairs.map((pair) => {
      const [asked = '', side = ''] = pair.split('|');
      return {
        asked,
        side,
        'requests/s': Math.round(median(of(asked, side, speed))),
        'now: times it': spread(ratios(asked, side, speed)),
        'CPU, µs': Math.round(median(of(asked, side, cpu))),
        'CPU of now: times it': spread(ratios(asked, side, cpu)),
        'p99, ms': round(median(of(asked, side, ({ p99 }) => p99)), 1),
        errors: sum(of(asked, side, ({ errors }) => errors)),
      };
    }),
    targets: [
      {
        name: `requests/s of ${SCORE} against ${BEFORE}`,
        measured: round(median(ratios(SCORE, BEFORE, speed)), 2),
        atLeast: 2,
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
        measured: sum(spells.map(({ side, errors }) => (side === NOW ? errors : 0))),
        atMost: 0,
        unit: '',
      },
    ],
  };
}

/** `2.05 (1.98 to 2.11)`: the middle one, and the middle half. */
function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0, 2);
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`;
}
