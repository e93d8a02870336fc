import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { openLiveScores } from '../api/server/live-scores.ts';
import { addDays, dateAt } from '../warehouse/ground/dates.ts';
import { round, sum } from '../warehouse/ground/numbers.ts';
import { saveToRedis } from '../warehouse/store/redis.ts';
import type { WatchedFlight } from '../warehouse/live/watches.ts';
import { readUsage } from './api/processes.ts';
import { syntheticStore, type Flight } from './api/synthetic-store.ts';
import { withBenchApi, withBundledModel, type BenchApi } from './api/world.ts';
import type { BenchResult } from './report.ts';
import type { CallTimes, Callers } from './watches/callers.ts';
import { runDay, type DayReport, type EventReport } from './watches/day-run.ts';
import {
  DAY_EVENTS,
  rehearseDay,
  type DayEvent,
  type DayScores,
  type DayWorld,
} from './watches/day.ts';
import { killWorker, setWorkerClock, startWatchWorker } from './watches/watch-worker.ts';

type DayCase = { watches: number; events: readonly DayEvent[] };

/** Numbers of watches: for a whole day, and for a storm that changes ten times as many flights. */
const CASES: readonly DayCase[] = [
  { watches: 10_000, events: DAY_EVENTS },
  { watches: 100_000, events: DAY_EVENTS.slice(0, 1) },
];
/** Up to this number of watches, the messages of an event must be accepted within a minute. */
const FEW_WATCHES = 10_000;
/** Maximum number of watches of an account. */
const PER_ACCOUNT = 1_000;
const CALLS_PER_S = 100;
/** Time for which calls are measured before the first event. */
const QUIET_MS = 10_000;
const DEADLINE_MS = 15 * 60_000;
const DAYS_AHEAD = 4;

const CALLERS = path.join(import.meta.dirname, 'watches/callers.ts');

type Row = BenchResult['rows'][number];

/** A day with one worker: the events of the day, and the latencies of the API before and during the events. */
type CountedDay = { watches: number; quiet: CallTimes; day: DayReport; rows: Row[] };

/**
 * Runs a day with 10,000 watched flights, and a storm with 100,000. One worker scans the watches and delivers the
 * messages, with the same waits as a real worker. Meanwhile, callers send requests to the API.
 */
export async function benchWatches(
  log: (line: string) => void,
  cases: readonly DayCase[] = CASES,
): Promise<BenchResult> {
  const days: CountedDay[] = [];
  for (const dayCase of cases) days.push(await runCase(dayCase, log));
  return buildResult(days);
}

/** Runs a day in its own service. In a shared service, the second day would begin with data of a later hour. */
async function runCase(
  { watches, events }: DayCase,
  log: (line: string) => void,
): Promise<CountedDay> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    return await withBenchApi(dataDir, {}, async (bench) => {
      const world = await openDayWorld(bench, dataDir, watches);
      try {
        const own = { ...world, events };
        log(`rehearses ${events.length} events with ${watches} flights`);
        const scores = await rehearseDay(own);
        return await runCountedDay({ watches, world: own, scores, bench, dataDir, log });
      } finally {
        await world.scores.close();
      }
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

type BenchWorld = DayWorld & {
  clock: { at: Date };
  /** Sets the worker of the current day. `setClock` then also sets the clock of this worker. */
  useWorker: (worker: ChildProcess | undefined) => void;
};

async function openDayWorld(
  { redis, redisUrl, flights }: BenchApi,
  dataDir: string,
  watches: number,
): Promise<BenchWorld> {
  const clock = { at: new Date() };
  let worker: ChildProcess | undefined;
  const stores = await Promise.all(
    ['2026-01-01T02:30:00.000Z', '2026-02-01T02:30:00.000Z'].map((builtAt) =>
      withBundledModel(syntheticStore(builtAt).files),
    ),
  );
  await saveToRedis(redis, stores[0]!);
  const scores = await openLiveScores({
    ...{ redis, redisUrl, dataDir: path.join(dataDir, 'scores'), modelDeadlineMs: 200 },
    ...{ now: () => clock.at, log: pino({ level: 'silent' }) },
  });
  return {
    ...{ redis, scores, clock, date: dateAt(clock.at) },
    stores: [stores[0]!, stores[1]!],
    airports: [...new Set(flights.map(({ origin }) => origin))],
    flights: watchedFlights(flights, clock.at, watches),
    events: DAY_EVENTS,
    setClock: async (at) => {
      clock.at = at;
      if (worker) await setWorkerClock(worker, at);
    },
    useWorker: (next) => (worker = next),
  };
}

/** Returns different flights of the next days, each with a departure time. */
function watchedFlights(flights: Flight[], now: Date, count: number): WatchedFlight[] {
  const dates = Array.from({ length: DAYS_AHEAD }, (_, day) => addDays(dateAt(now), day));
  return Array.from({ length: count }, (_, at) => {
    const { origin, dest, carrier: airline } = flights[at % flights.length]!;
    const hour = 6 + Math.floor(at / flights.length) * 8 + (at % 8);
    const depTime = `${String(hour).padStart(2, '0')}:00`;
    return { origin, dest, airline, date: dates[at % DAYS_AHEAD]!, dep_time: depTime };
  });
}

async function runCountedDay({
  watches,
  world,
  scores,
  bench,
  dataDir,
  log,
}: {
  watches: number;
  world: BenchWorld;
  scores: DayScores;
  bench: BenchApi;
  dataDir: string;
  log: (line: string) => void;
}): Promise<CountedDay> {
  const { redis, redisUrl, api, paths } = bench;
  const callers = fork(CALLERS);
  callers.send({ port: api.port, paths, perSecond: CALLS_PER_S } satisfies Callers);
  let worker: ChildProcess | undefined;
  let quiet: CallTimes = { p50: Number.NaN, p99: Number.NaN, errors: 0 };
  const startWorkers = async (hosts: string[]) => {
    await sleep(QUIET_MS);
    quiet = await readCallTimes(callers);
    worker = await startWatchWorker({
      ...{ redisUrl, dataDir: path.join(dataDir, 'worker'), hosts: hosts.join() },
      ...{ profile: 'real', clock: world.clock.at },
    });
    world.useWorker(worker);
  };
  const rows: Row[] = [];
  const onEvent = async (event: EventReport) => {
    const usage = await readUsage(worker?.pid ?? 0);
    rows.push(rowOf(watches, event, await readCallTimes(callers), usage, await redisMb(redis)));
    log(`${watches} watches, ${event.name}: ${Math.round(event.acceptedMs / 1_000)} s`);
  };
  try {
    const day = await runDay(world, scores, {
      ...{ watches, perAccount: PER_ACCOUNT, deadlineMs: DEADLINE_MS, startWorkers, onEvent },
    });
    return { watches, quiet, day, rows };
  } finally {
    world.useWorker(undefined);
    if (worker) await killWorker(worker);
    callers.disconnect();
  }
}

function rowOf(
  watches: number,
  { name, messages, waiting, acceptedMs }: EventReport,
  times: CallTimes,
  worker: { residentMb: number; cpuSeconds: number },
  redisMemoryMb: number,
): Row {
  return {
    watches,
    event: name,
    messages,
    'of these wait': waiting,
    'accepted after, s': round(acceptedMs / 1_000, 1),
    'worker, MB': Math.round(worker.residentMb),
    'worker, CPU s so far': Math.round(worker.cpuSeconds),
    'Redis, MB': redisMemoryMb,
    'p50 of score, ms': round(times.p50, 1),
    'p99 of score, ms': round(times.p99, 1),
  };
}

async function readCallTimes(callers: ChildProcess): Promise<CallTimes> {
  const answer = once(callers, 'message');
  callers.send('report');
  return ((await answer) as [CallTimes])[0];
}

async function redisMb(redis: Redis): Promise<number> {
  const [, bytes] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? [];
  return Math.round(Number(bytes) / 1e6);
}

function buildResult(days: CountedDay[]): BenchResult {
  const slowestS = ({ day }: CountedDay) =>
    round(Math.max(...day.events.map(({ acceptedMs }) => acceptedMs)) / 1_000, 1);
  const texts = days.map(({ watches, quiet, day }) => {
    const recoveryS = Math.round(day.recoveryMs / 1_000);
    return `${watches} watches: p99 ${round(quiet.p99, 1)} ms without a worker, ${recoveryS} s until recovered receivers had all messages`;
  });
  return {
    part: 'watches',
    subject: `one day, one worker, half of the receivers misbehave in between; ${texts.join('; ')}`,
    rows: days.flatMap(({ rows }) => rows),
    targets: [
      ...days.map((day) => ({
        name: `messages of an event, ${day.watches} watches`,
        measured: slowestS(day),
        atMost: day.watches > FEW_WATCHES ? 300 : 60,
        unit: 's',
      })),
      {
        name: 'watches with lost or unordered messages',
        measured: sum(days.map(({ day }) => day.problems.length)),
        atMost: 0,
        unit: '',
      },
      {
        name: 'repeated messages',
        measured: sum(days.map(({ day }) => day.repeats)),
        atMost: 0,
        unit: '',
      },
    ],
  };
}
