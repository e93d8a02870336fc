import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load, percentile } from './api/load.ts';
import { readUsage } from './api/processes.ts';
import { withBenchApi } from './api/world.ts';
import { median, type BenchResult } from './report.ts';
import { startApi } from './stage/api-process.ts';

const CONNECTIONS = 32;
const ROUNDS = 20;
const RUN_MS = 2_000;
const WARM_UP_MS = 4_000;

type LoadRun = { perSecond: number; cpuUs: number; p99Ms: number };

/**
 * Measures `/api/score` of an API while its metrics are scraped. For comparison, alternates with an API without
 * metrics.
 */
export async function benchMetrics(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    return await withBenchApi(dataDir, {}, async ({ api: plain, redisUrl, paths }) => {
      const folder = path.join(dataDir, 'measured');
      const settings = { REDIS_URL: redisUrl, DATA_DIR: folder, METRICS_PORT: '0' };
      const measured = await startApi(settings, { logFile: `${dataDir}/measured.log` });
      try {
        await measured.untilHealthy();
        const metrics = metricsPort(measured.log());
        const measureRun = async ({
          port,
          pid,
        }: {
          port: number;
          pid: number;
        }): Promise<LoadRun> => {
          const before = await readUsage(pid);
          const result = await load({ port, paths, connections: CONNECTIONS, ms: RUN_MS });
          const cpuSeconds = (await readUsage(pid)).cpuSeconds - before.cpuSeconds;
          return {
            perSecond: result.requests / result.seconds,
            cpuUs: (cpuSeconds * 1e6) / result.requests,
            p99Ms: percentile(result, 0.99),
          };
        };
        for (const { port } of [plain, measured]) {
          await load({ port, paths, connections: CONNECTIONS, ms: WARM_UP_MS });
        }
        const pairs: { without: LoadRun; with: LoadRun }[] = [];
        for (let round = 1; round <= ROUNDS; round++) {
          log(`round ${round} of ${ROUNDS}`);
          await fetch(`http://127.0.0.1:${metrics}/metrics`).then((answer) => answer.text());
          // The order changes each round, so that other work on the machine affects both equally.
          const [first, second] = round % 2 === 0 ? [plain, measured] : [measured, plain];
          const [firstRun, secondRun] = [await measureRun(first), await measureRun(second)];
          pairs.push(
            round % 2 === 0
              ? { without: firstRun, with: secondRun }
              : { without: secondRun, with: firstRun },
          );
        }
        return buildResult(pairs);
      } finally {
        await measured.stop();
      }
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

function metricsPort(log: string): number {
  const [, port] = /"port":(\d+),"msg":"metrics served"/.exec(log) ?? [];
  return Number(port);
}

function buildResult(pairs: { without: LoadRun; with: LoadRun }[]): BenchResult {
  const middle = (figure: (pair: { without: LoadRun; with: LoadRun }) => number, digits = 2) =>
    Number(median(pairs.map((pair) => figure(pair))).toFixed(digits));
  const row = (kind: 'without' | 'with') => ({
    metrics: kind,
    'requests/s': middle((pair) => pair[kind].perSecond, 0),
    'CPU, µs': middle((pair) => pair[kind].cpuUs, 1),
    'p99, ms': middle((pair) => pair[kind].p99Ms),
  });
  const ratios = pairs
    .map((pair) => pair.with.perSecond / pair.without.perSecond)
    .toSorted((a, b) => a - b);
  const quartile = (share: number) => (ratios[Math.floor(share * ratios.length)] ?? NaN).toFixed(3);
  return {
    part: 'metrics',
    subject:
      `medians of ${pairs.length} pairs, c = ${CONNECTIONS}; requests/s with metrics / without, ` +
      `quartiles of the pairs: ${quartile(0.25)} to ${quartile(0.75)}`,
    rows: [row('without'), row('with')],
    targets: [
      {
        name: 'requests/s with metrics / without',
        measured: middle((pair) => pair.with.perSecond / pair.without.perSecond, 3),
        atLeast: 0.97,
        unit: 'times',
      },
      {
        name: 'CPU of a request with metrics / without',
        measured: middle((pair) => pair.with.cpuUs / pair.without.cpuUs, 3),
        atMost: 1.05,
        unit: 'times',
      },
    ],
  };
}
