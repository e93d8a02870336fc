import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round, sum } from '../warehouse/ground/numbers.ts';
import { openQueues } from '../jobs/queue/queues.ts';
import { percentile } from './api/load.ts';
import { withBenchApi } from './api/world.ts';
import { CONNECTIONS, measureRun, HEALTHY, type LiveRun } from './live/live-run.ts';
import { median, type BenchResult } from './report.ts';

const UPSTREAM = path.join(import.meta.dirname, 'live/run-upstream.ts');
const ROUNDS = 3;

/**
 * Measures `/api/score` while a worker refreshes weather and news from upstreams. Some upstreams are healthy, others
 * fail or send bad data. All kinds of upstreams take turns within a round, so that other work on the machine affects
 * all equally.
 */
export async function benchLive(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  const upstream = fork(UPSTREAM);
  try {
    const [addresses] = (await once(upstream, 'message')) as [Record<string, string>];
    return await withBenchApi(dataDir, {}, async (world) => {
      const queues = openQueues(world.redisUrl);
      const runs: LiveRun[] = [];
      try {
        for (let round = 1; round <= ROUNDS; round++) {
          for (const [name, address] of Object.entries(addresses)) {
            log(`round ${round} of ${ROUNDS}, upstreams: ${name}`);
            runs.push(await measureRun(name, address, { dataDir, world, queues }));
          }
        }
      } finally {
        await queues.close();
      }
      return buildResult(runs);
    });
  } finally {
    upstream.kill();
    await rm(dataDir, { recursive: true });
  }
}

function buildResult(runs: LiveRun[]): BenchResult {
  const rows = [...Map.groupBy(runs, ({ upstream }) => upstream)].map(([upstream, same]) => ({
    upstreams: upstream,
    'requests/s': Math.round(median(same.map(({ result }) => result.requests / result.seconds))),
    'p50, ms': round(median(same.map(({ result }) => percentile(result, 0.5))), 2),
    'p99, ms': round(median(same.map(({ result }) => percentile(result, 0.99))), 2),
    errors: sum(same.map(({ result }) => result.errors)),
    'workers lost': same.filter(({ isWorkerAlive }) => !isWorkerAlive).length,
    'peak memory of the worker, MB': Math.round(Math.max(...same.map(({ peakMb }) => peakMb))),
  }));
  const healthyP99 = rows.find(({ upstreams }) => upstreams === HEALTHY)?.['p99, ms'] ?? Number.NaN;
  const worst = Math.max(...rows.map((row) => row['p99, ms']));
  return {
    part: 'live',
    subject: `/api/score, ${CONNECTIONS} connections, while a worker refreshes; medians of ${ROUNDS} rounds`,
    rows,
    targets: [
      {
        name: `worst p99 above that beside healthy upstreams (${healthyP99} ms)`,
        measured: round(worst - healthyP99, 2),
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
        measured: Math.max(...rows.map((row) => row['peak memory of the worker, MB'])),
        atMost: 512,
        unit: 'MB',
      },
    ],
  };
}
