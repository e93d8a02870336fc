/** `npm run bench:backfill -- [months] [rows]`: times the same backfill with one worker and with two. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { monthsBetween } from '../pipelines/flights/months.ts';
import { filesOf, readManifests } from '../warehouse/lake/lake.ts';
import { dataPaths } from '../warehouse/paths.ts';
import { writeShortMonth } from './short-months.ts';

type Round = { workers: number; seconds: number };

const MAIN = fileURLToPath(new URL('../jobs/main.ts', import.meta.url));
/** Number of workers in each round. The numbers alternate, so that other work on the machine affects both equally. */
const ROUNDS = [1, 2, 1, 2, 1, 2];

const [months = 12, rows = 200_000] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(path.join(tmpdir(), 'hw-bench-'));
try {
  const span = monthsBetween('2016-01', '2025-12').slice(0, months);
  const source = path.join(folder, 'source');
  await mkdir(source);
  for (const month of span) await writeShortMonth(source, month, rows);
  const rounds: Round[] = [];
  const lakes = new Set<string>();
  for (const [index, workers] of ROUNDS.entries()) {
    const dataDir = path.join(folder, `round-${index}`);
    const seconds = await runBackfill(dataDir, source, span, workers);
    lakes.add(await lakeHashes(dataDir));
    await rm(dataDir, { recursive: true });
    rounds.push({ workers, seconds });
    console.log(`${workers} worker${workers > 1 ? 's' : ''}: ${seconds.toFixed(1)} s`);
  }
  if (lakes.size !== 1) throw new Error('the rounds wrote different lakes');
  console.log(JSON.stringify({ months, rowsPerMonth: rows, rounds, ratio: medianRatio(rounds) }));
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Returns the seconds from the start of the command to its end. The workers already wait when the command starts. */
async function runBackfill(
  dataDir: string,
  source: string,
  span: string[],
  workerCount: number,
): Promise<number> {
  const env = { ...process.env, DATA_DIR: dataDir, REDIS_URL: '', LOG_LEVEL: 'info' };
  const workers = Array.from({ length: workerCount }, () =>
    spawn(process.execPath, [MAIN, 'worker'], { env, stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  try {
    await Promise.all(workers.map(untilReady));
    const startedAt = performance.now();
    const args = ['--from', span.at(0) ?? '', '--to', span.at(-1) ?? '', '--source', source];
    const command = spawn(process.execPath, [MAIN, 'backfill', ...args], { env, stdio: 'ignore' });
    const [code] = (await once(command, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the backfill ended with exit code ${code}`);
    return (performance.now() - startedAt) / 1_000;
  } finally {
    const ends = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(ends);
  }
}

async function untilReady(worker: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.stdout?.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('worker ready')) resolve();
  });
  worker.once('exit', (code) => reject(new Error(`a worker ended with exit code ${code}`)));
  return promise;
}

/** Returns the hashes of all files of the lake, from its manifests. */
async function lakeHashes(dataDir: string): Promise<string> {
  const manifests = await readManifests(dataPaths(dataDir).lakeDir);
  return manifests.flatMap((manifest) => filesOf(manifest).map(({ sha256 }) => sha256)).join(' ');
}

/**
 * Divides the seconds with two workers by the seconds with one worker, for each pair of neighbouring rounds. Returns
 * the median.
 */
function medianRatio(rounds: Round[]): number {
  const secondsOf = (workers: number) =>
    rounds.filter((round) => round.workers === workers).map(({ seconds }) => seconds);
  const two = secondsOf(2);
  const ratios = secondsOf(1).map((seconds, pair) => (two[pair] ?? NaN) / seconds);
  return Number(
    (ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? NaN).toFixed(2),
  );
}
