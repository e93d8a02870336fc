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
import type { Crowd, Visits } from './visitors/crowd.ts';
import { paced } from './visitors/paced.ts';

const CROWD = path.join(import.meta.dirname, 'visitors/crowd.ts');
const CALLS_PER_S = 1_000;
const VISITORS = 200;
const ROUNDS = 7;
const SPELL_MS = 5_000;
/** Flights of the visitors; each has its page drawn once in the bench, as on a day with a link that many follow. */
const FLIGHTS = 60;

const ALONE = 'nobody else';
const VISITED = `${VISITORS} visitors of the pages`;

type Spell = { beside: string; result: LoadResult; visits: Visits };

/** 1,000 calls a second of `/api/score`, with 200 visitors of the pages and without, in turn within a round. */
export async function benchVisitors(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  const crowd = fork(CROWD);
  try {
    return await withBenchApi(dataDir, { TRUST_PROXY: 'loopback' }, async (world) => {
      const ask = userFlights(world.flights, randomFrom('callers'));
      const call = () => scorePath(ask(), world.apiKey);
      const coming = crowdOf(world);
      // The first page starts the thread that draws, and bundles the script.
      await spellOf(VISITED, { world, crowd, coming, call });
      const spells: Spell[] = [];
      for (let at = 0; at < ROUNDS; at++) {
        log(`round ${at + 1} of ${ROUNDS}, load average ${round(loadavg()[0] ?? 0, 1)}`);
        // Who begins changes, as a machine that gets busier would favour the first.
        for (const beside of at % 2 === 0 ? [ALONE, VISITED] : [VISITED, ALONE]) {
          spells.push(await spellOf(beside, { world, crowd, coming, call }));
        }
      }
      return resultOf(spells, await countedBeyondCalls({ world, crowd, coming, call }));
    });
  } finally {
    crowd.kill();
    await rm(dataDir, { recursive: true });
  }
}

type Stage = { world: BenchApi; crowd: ChildProcess; coming: Crowd; call: () => string };

async function spellOf(beside: string, stage: Stage, ms = SPELL_MS): Promise<Spell> {
  const { world, crowd, coming, call } = stage;
  if (beside === VISITED) {
    crowd.send(coming);
    // They come one after the other.
    await sleep(1_000);
  }
  const paths = Array.from({ length: (CALLS_PER_S * ms) / 1_000 }, call);
  const result = await paced({ port: world.api.port, paths, perSecond: CALLS_PER_S, ms });
  crowd.send('leave');
  const [visits] = (await once(crowd, 'message')) as [Visits];
  return { beside, result, visits: beside === VISITED ? visits : { asked: 0, failed: 0 } };
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
  const rows = [ALONE, VISITED].map((beside) => {
    const same = of(beside);
    const at = (share: number) =>
      round(median(same.map(({ result }) => percentile(result, share))), 2);
    return {
      beside,
      'calls/s': Math.round(median(same.map(({ result }) => result.requests / result.seconds))),
      'p50, ms': at(0.5),
      'p90, ms': at(0.9),
      'p99, ms': at(0.99),
      errors: sum(same.map(({ result }) => result.errors)),
      'questions of visitors': sum(same.map(({ visits }) => visits.asked)),
      'of them failed': sum(same.map(({ visits }) => visits.failed)),
    };
  });
  const slower = (share: number) => {
    const pairs = of(ALONE).map(({ result }, at) => {
      const beside = of(VISITED)[at] as Spell;
      return percentile(beside.result, share) / percentile(result, share);
    });
    return round(100 * (median(pairs) - 1), 1);
  };
  return {
    part: 'visitors',
    subject: `${CALLS_PER_S} calls of /api/score a second, ${ROUNDS} rounds of ${SPELL_MS / 1_000} s each way; load average ${loadavg()
      .map((load) => round(load, 1))
      .join(', ')}`,
    rows,
    targets: [
      { name: 'half of the calls slower by', measured: slower(0.5), atMost: 10, unit: '%' },
      { name: '99 of 100 calls slower by', measured: slower(0.99), atMost: 10, unit: '%' },
      { name: 'questions of visitors counted to a key', measured: counted, atMost: 0, unit: '' },
      { name: 'errors', measured: sum(rows.map(({ errors }) => errors)), atMost: 0, unit: '' },
    ],
  };
}
