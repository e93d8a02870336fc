import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays } from '../warehouse/ground/dates.ts';
import { round } from '../warehouse/ground/round.ts';
import { sum } from '../warehouse/ground/sum.ts';
import { scorePath, userFlights } from './api/asked.ts';
import { percentile, type LoadResult } from './api/load.ts';
import { withBenchApi, type BenchApi } from './api/world.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';
import { listening, type ServerProcess } from './stage/server-process.ts';
import { sourceOf, type Crowd, type Visits } from './visitors/asked.ts';
import { paced } from './visitors/paced.ts';

const KEPT = path.join(import.meta.dirname, 'visitors/serve-kept.ts');
const CROWD = path.join(import.meta.dirname, 'visitors/crowd.ts');
const CALLS_PER_S = 1_000;
const VISITORS = 200;
const ROUNDS = 21;
const SPELL_MS = 2_500;
/** Flights of the visitors; each has its page drawn once in the bench, as on a day with a link that many follow. */
const FLIGHTS = 60;

/** Machines of visitors are elsewhere: here they have what of the processor nobody else wants. */
const AT_LEISURE = { execPath: 'chrt', execArgv: ['--idle', '0', process.execPath] };

const ALONE = 'nobody else';
const ELSEWHERE = `${VISITORS} visitors of a server of kept bytes`;
const VISITED = `${VISITORS} visitors of the pages`;
const WAYS = [ALONE, ELSEWHERE, VISITED];

const SHARES = [
  ['half of the calls', 0.5],
  ['90 of 100', 0.9],
  ['99 of 100', 0.99],
] as const;

type Spell = { beside: string; result: LoadResult; visits: Visits };

/**
 * 1,000 calls a second of `/api/score`, with 200 visitors of the pages and without, in turn within a round. And beside the same
 * visitors of another process that answers from memory: what their questions cost a machine, whoever answers them.
 */
export async function benchVisitors(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  const crowd = fork(CROWD, AT_LEISURE);
  try {
    return await withBenchApi(dataDir, { TRUST_PROXY: 'loopback' }, async (world) => {
      const ask = userFlights(world.flights, randomFrom('callers'));
      const call = () => scorePath(ask(), world.apiKey);
      const coming = crowdOf(world);
      const elsewhere = await startKept(coming);
      const stage = { world, crowd, coming, elsewhere, call };
      // The first page starts the thread that draws, and bundles the script.
      await spellOf(VISITED, stage);
      const spells: Spell[] = [];
      for (let at = 0; at < ROUNDS; at++) {
        log(`round ${at + 1} of ${ROUNDS}, load average ${round(loadavg()[0] ?? 0, 1)}`);
        // Who begins changes, as a machine that gets busier would favour the first.
        for (let way = 0; way < WAYS.length; way++) {
          spells.push(await spellOf(WAYS[(at + way) % WAYS.length] as string, stage));
        }
      }
      await elsewhere.stop();
      return resultOf(spells, await countedBeyondCalls(stage));
    });
  } finally {
    crowd.kill();
    await rm(dataDir, { recursive: true });
  }
}

type Stage = {
  world: BenchApi;
  crowd: ChildProcess;
  coming: Crowd;
  elsewhere: ServerProcess;
  call: () => string;
};

async function spellOf(beside: string, stage: Stage, ms = SPELL_MS): Promise<Spell> {
  const { world, crowd, coming, elsewhere, call } = stage;
  if (beside !== ALONE) {
    crowd.send(beside === VISITED ? coming : { ...coming, port: elsewhere.port });
    // They come one after the other.
    await sleep(1_000);
  }
  const paths = Array.from({ length: (CALLS_PER_S * ms) / 1_000 }, call);
  const result = await paced({ port: world.api.port, paths, perSecond: CALLS_PER_S, ms });
  crowd.send('leave');
  const [visits] = (await once(crowd, 'message')) as [Visits];
  return { beside, result, visits: beside === ALONE ? { asked: 0, failed: 0 } : visits };
}

/** Ends with us: it is forked. */
function startKept({ port, flights }: Crowd): Promise<ServerProcess> {
  const flight = flights[0] ?? '';
  return listening(fork(KEPT, [String(port), `/flights/${flight}`, sourceOf(flight, '08:00')]));
}

function crowdOf({ api, flights }: BenchApi): Crowd {
  const from = new Date().toISOString().slice(0, 10);
  const some = flights.slice(0, FLIGHTS);
  const pages = [...new Set(some.map(({ origin }) => `/airports/${origin}`))].slice(0, 10);
  return {
    port: api.port,
    visitors: VISITORS,
    flights: some.map(
      ({ origin, dest, carrier }, at) =>
        `${origin}-${dest}-${carrier}-${addDays(from, 7 + (at % 30))}`,
    ),
    pages: ['/', '/map', '/airlines', '/model', '/status', ...pages],
  };
}

/** Calls that the key was charged for beside those that were made with it. */
async function countedBeyondCalls(stage: Stage): Promise<number> {
  const { world, call } = stage;
  const left = async () => {
    const answer = await fetch(`http://127.0.0.1:${world.api.port}${call()}`);
    await answer.arrayBuffer();
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };
  const before = await left();
  const { result, visits } = await spellOf(VISITED, stage, 2_000);
  if (visits.asked === 0) throw new Error('nobody came');
  return before - (await left()) - result.requests - 1;
}

function resultOf(spells: Spell[], counted: number): BenchResult {
  const of = (beside: string) => spells.filter((one) => one.beside === beside);
  /** Of the rounds, each beside its own. */
  const timesAsLong = (beside: string, than: string, share: number) =>
    of(beside).map(({ result }, at) => {
      const other = of(than)[at] as Spell;
      return percentile(result, share) / percentile(other.result, share);
    });
  const spread = (beside: string) => {
    const pairs = timesAsLong(beside, ALONE, 0.99).toSorted((a, b) => a - b);
    return [median(pairs), pairs[0] ?? 0, pairs.at(-1) ?? 0].map((one) => round(one, 2));
  };
  const rows = WAYS.map((beside) => {
    const same = of(beside);
    const at = (share: number) =>
      round(median(same.map(({ result }) => percentile(result, share))), 2);
    return {
      beside,
      'calls/s': Math.round(median(same.map(({ result }) => result.requests / result.seconds))),
      'p50, ms': at(0.5),
      'p90, ms': at(0.9),
      'p99, ms': at(0.99),
      'p99 against nobody else: median, least, most': spread(beside).join(', '),
      errors: sum(same.map(({ result }) => result.errors)),
      'questions of visitors': sum(same.map(({ visits }) => visits.asked)),
      'of them failed': sum(same.map(({ visits }) => visits.failed)),
    };
  });
  const slower = (share: number, than: string) =>
    round(100 * (median(timesAsLong(VISITED, than, share)) - 1), 1);
  return {
    part: 'visitors',
    subject: `${CALLS_PER_S} calls of /api/score a second, ${ROUNDS} rounds of ${SPELL_MS / 1_000} s each way; load average ${loadavg()
      .map((load) => round(load, 1))
      .join(', ')}`,
    rows,
    targets: [
      ...[ALONE, ELSEWHERE].flatMap((than) =>
        SHARES.map(([name, share]) => ({
          name: `${name} slower than with ${than} by`,
          measured: slower(share, than),
          atMost: 10,
          unit: '%',
        })),
      ),
      { name: 'questions of visitors counted to a key', measured: counted, atMost: 0, unit: '' },
      { name: 'errors', measured: sum(rows.map(({ errors }) => errors)), atMost: 0, unit: '' },
    ],
  };
}
