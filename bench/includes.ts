import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { INCLUDES } from '../api/schemas/include.ts';
import { round } from '../warehouse/ground/numbers.ts';
import { load } from './api/load.ts';
import { batchPath, drawQueries } from './api/paths.ts';
import { readUsage } from './api/processes.ts';
import { withBenchApi, type BenchApi } from './api/world.ts';
import { randomFrom } from './generate/random.ts';
import { median, type BenchResult } from './report.ts';

const CONNECTIONS = 4;
const ROUNDS = 7;
const RUN_MS = 1_500;
const WARM_UP_MS = 2_000;
const BATCHES = 200;

/** Batches whose size is measured. */
const SIZED_BATCHES = 9;

const NOTHING = 'nothing';
const DISTRIBUTION = 'distribution';
/** Target for 50 flights with their distributions, in microseconds of CPU. */
const DISTRIBUTION_CPU_US = 5_000;

/** The optional parts of a batch's answer, each with the query that requests it. */
const PARTS: Record<string, string> = {
  [NOTHING]: '',
  ...Object.fromEntries(INCLUDES.map((name) => [name, `&include=${name}`])),
  payout: '&payout=60:100,120:250,cancelled:400',
  'all of them': `&include=${INCLUDES.join(',')}&payout=60:100,120:250,cancelled:400`,
};

/**
 * Measures batches of 50 flights with each optional part: the CPU time of the server and the size of the answer. All
 * parts take turns within each round, so that other work on the machine affects them equally.
 */
export async function benchIncludes(log: (line: string) => void): Promise<BenchResult> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
  try {
    return await withBenchApi(dataDir, {}, async (world) => {
      const cpu = await measureCpu(world, log);
      const sizes = await measureSizes(world);
      const usual = median(cpu[NOTHING] ?? []);
      return {
        part: 'includes',
        subject: 'batches of 50 different flights, without a departure time; 4 connections',
        rows: Object.keys(PARTS).map((part) => ({
          part,
          'CPU of a batch, µs': round(median(cpu[part] ?? []), 0),
          ratio: round(median(cpu[part] ?? []) / usual, 2),
          'bytes per flight': round((sizes[part]?.plain ?? Number.NaN) / 50, 0),
          'of these gzipped': round((sizes[part]?.gzipped ?? Number.NaN) / 50, 0),
        })),
        targets: [
          {
            name: 'CPU of 50 flights with distribution',
            measured: round(median(cpu[DISTRIBUTION] ?? []), 0),
            unit: 'µs',
            atMost: DISTRIBUTION_CPU_US,
          },
        ],
      };
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** Returns the CPU time of a batch in microseconds, by part and round. */
async function measureCpu(
  { api, flights, apiKey }: BenchApi,
  log: (line: string) => void,
): Promise<Record<string, number[]>> {
  const nextQuery = drawQueries(flights, randomFrom('batches'));
  const pathsFor = (query: string) =>
    Array.from({ length: BATCHES }, () => batchPath(nextQuery, apiKey) + query);
  const cpu: Record<string, number[]> = {};
  for (let at = 0; at <= ROUNDS; at++) {
    log(at === 0 ? 'warming up' : `round ${at} of ${ROUNDS}`);
    for (const [part, query] of Object.entries(PARTS)) {
      const ms = at === 0 ? WARM_UP_MS : RUN_MS;
      const before = await readUsage(api.pid);
      const request = { port: api.port, paths: pathsFor(query), connections: CONNECTIONS, ms };
      const { requests, errors } = await load(request);
      const { cpuSeconds } = await readUsage(api.pid);
      if (errors > 0) throw new Error(`${part}: ${errors} of ${requests} batches failed`);
      if (at > 0) (cpu[part] ??= []).push(((cpuSeconds - before.cpuSeconds) * 1e6) / requests);
    }
  }
  return cpu;
}

/** Returns the median size of a batch in bytes, by part. */
async function measureSizes({
  api,
  flights,
  apiKey,
}: BenchApi): Promise<Record<string, { plain: number; gzipped: number }>> {
  const nextQuery = drawQueries(flights, randomFrom('sizes'));
  const paths = Array.from({ length: SIZED_BATCHES }, () => batchPath(nextQuery, apiKey));
  const entries = Object.entries(PARTS).map(async ([part, query]) => {
    const bodies = await Promise.all(
      paths.map(async (address) => {
        const answer = await fetch(`http://127.0.0.1:${api.port}${address}${query}`);
        if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
        return Buffer.from(await answer.arrayBuffer());
      }),
    );
    const gzipped = await Promise.all(bodies.map((body) => promisify(gzip)(body)));
    const sizeOf = (buffers: Uint8Array[]) => median(buffers.map(({ byteLength }) => byteLength));
    return [part, { plain: sizeOf(bodies), gzipped: sizeOf(gzipped) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
