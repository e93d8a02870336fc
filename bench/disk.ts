import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRedisClient } from '../warehouse/ground/redis-address.ts';
import { measureBytes } from '../warehouse/ground/temporary.ts';
import { readConfig } from '../jobs/config.ts';
import { openRedis } from '../jobs/processes/redis-session.ts';
import { estimateDiskNeed } from '../jobs/wiring/disk-needs.ts';
import { createSteps } from '../jobs/wiring/steps.ts';
import { btsFileName } from '../pipelines/flights/months.ts';
import { writeBtsMonth } from './generate/bts-month.ts';
import type { BenchResult } from './report.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03', '2025-04'];
/** Numbers of flights in a month: a sample, and half of a busy month of BTS. */
const SIZES = [20_000, 300_000];
const POLL_MS = 10;

type Growth = { step: string; estimate: number; growth: number };

/**
 * Measures the largest growth of the data folder, including Redis's files, during each step. Compares the growth with
 * the estimate by which a worker decides whether the step can start.
 */
export async function benchDisk(log: (line: string) => void): Promise<BenchResult> {
  const rows: BenchResult['rows'] = [];
  const targets: BenchResult['targets'] = [];
  for (const flights of SIZES) {
    log(`${MONTHS.length} months of ${flights} flights`);
    for (const { step, estimate, growth } of await measureSteps(flights)) {
      const [estimateMb, growthMb] = [estimate, growth].map(
        (bytes) => Math.round(bytes / 1e5) / 10,
      );
      rows.push({
        flights,
        step,
        'estimate, MB': estimateMb ?? 0,
        'peak growth, MB': growthMb ?? 0,
      });
      const name = `${step} of ${flights} flights a month: growth`;
      targets.push({ name, measured: growthMb ?? 0, atMost: estimateMb ?? 0, unit: 'MB' });
    }
  }
  const subject = `largest growth of the data folder with Redis during each step; ${MONTHS.length} months, made up like files of BTS`;
  return { part: 'disk', subject, rows, targets };
}

async function measureSteps(rows: number): Promise<Growth[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hw-bench-disk-'));
  const dataDir = path.join(folder, 'data');
  await mkdir(dataDir);
  const session = await openRedis(readConfig({ DATA_DIR: dataDir }), 'bench');
  const redis = openRedisClient(session.url);
  try {
    const steps = createSteps({ dataDir, codeVersion: 'bench', offline: true }, redis);
    const silent = () => undefined;
    const growths: Growth[] = [];
    const run = async (step: string, data: unknown, work: () => Promise<unknown>) => {
      const estimate = await estimateDiskNeed({ name: step, data }, dataDir);
      growths.push({ step, estimate, growth: await peakGrowth(dataDir, work) });
    };
    for (const month of MONTHS) {
      const file = path.join(folder, btsFileName(month));
      await writeBtsMonth(file, { month, rows });
      await run('extract-file', { path: file }, () => steps.extractFile({ path: file }, silent));
      await run('load-months', {}, () => steps.loadMonths([month], silent));
    }
    for (let round = 0; round < 2; round += 1) {
      await run('build-features', {}, () => steps.buildFeatures(silent));
      await run('publish', {}, () => steps.publishStore(silent));
      await run('rebuild', {}, () => steps.rebuildWarehouse(silent));
    }
    return largest(growths);
  } finally {
    redis.disconnect();
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns, for each step, the run that came closest to its estimate. */
function largest(growths: Growth[]): Growth[] {
  return [...Map.groupBy(growths, ({ step }) => step).values()].flatMap((runs) =>
    runs.toSorted((a, b) => b.growth / b.estimate - a.growth / a.estimate).slice(0, 1),
  );
}

async function peakGrowth(folder: string, work: () => Promise<unknown>): Promise<number> {
  const before = await measureBytes(folder);
  let peak = before;
  const measure = async () => {
    peak = Math.max(peak, await measureBytes(folder));
  };
  const timer = setInterval(() => void measure(), POLL_MS);
  await work();
  clearInterval(timer);
  await measure();
  return peak - before;
}
