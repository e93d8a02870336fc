import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round } from '../warehouse/ground/round.ts';
import { sum } from '../warehouse/ground/sum.ts';
import { openQueues } from '../jobs/queue/queues.ts';
import { percentile } from './api/load.ts';
import { withBenchApi } from './api/world.ts';
import { CONNECTIONS, spellOf, WELL, type Spell } from './live/spell.ts';
import { median, type BenchResult } from './report.ts';

const UPSTREAM = path.join(import.meta.dirname, 'live/run-upstream.ts');
const ROUNDS = 3;

/**
 * `/api/score` while a worker refreshes weather and news from upstreams that are well, and from those in each kind of
 * trouble. All take turns within a round, so that a busy moment of the machine touches few of them.
 */
export async function benchLive(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  const upstream = fork(UPSTREAM);
  try {
    const [addresses] = (await once(upstream, 'message')) as [Record<string, string>];
    return await withBenchApi(dataDir, {}, async (world) => {
      const queues = openQueues(world.redisUrl);
      const spells: Spell[] = [];
      try {
        for (let round = 1; round <= ROUNDS; round++) {
          for (const [name, address] of Object.entries(addresses)) {
            log(`round ${round} of ${ROUNDS}, upstreams: ${name}`);
            spells.push(await spellOf(name, address, { dataDir, world, queues }));
          }
        }
      } finally {
        await queues.close();
      }
      return resultOf(spells);
    });
  } finally {
    upstream.kill();
    await rm(dataDir, { recursive: true });
  }
}

function resultOf(spells: Spell[]): BenchResult {
  const rows = [...Map.groupBy(spells, ({ upstream }) => upstream)].map(([upstream, same]) => ({
    upstreams: upstream,
    'requests/s': Math.round(median(same.map(({ result }) => result.requests / result.seconds))),
    'p50, ms': round(median(same.map(({ result }) => percentile(result, 0.5))), 2),
    'p99, ms': round(median(same.map(({ result }) => percentile(result, 0.99))), 2),
    errors: sum(same.map(({ result }) => result.errors)),
    'workers lost': same.filter(({ survived }) => !survived).length,
    'peak of a worker, MB': Math.round(Math.max(...same.map(({ peakMb }) => peakMb))),
  }));
  const normal = rows.find(({ upstreams }) => upstreams === WELL)?.['p99, ms'] ?? Number.NaN;
  const worst = Math.max(...rows.map((row) => row['p99, ms']));
  return {
    part: 'live',
    subject: `/api/score, ${CONNECTIONS} connections, while a worker refreshes; medians of ${ROUNDS} rounds`,
    rows,
    targets: [
      {
        name: `worst p99 over that beside upstreams that are well (${normal} ms)`,
        measured: round(worst - normal, 2),
        atMost: 50,
        unit: 'ms',
      },
      { name: 'errors', measured: sum(rows.map(({ errors }) => errors)), atMost: 0, unit: '' },
      {
        name: 'workers lost',
        measured: sum(rows.map((row) => row['workers lost'])),
        atMost: 0,
        unit: '',
      },
      {
        name: 'peak memory of a worker',
        measured: Math.max(...rows.map((row) => row['peak of a worker, MB'])),
        atMost: 512,
        unit: 'MB',
      },
    ],
  };
}
