/** `make chaos PART=pipeline ROUNDS=100`: kills the pipeline at random moments, runs it again, and holds the end against a calm run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { btsFileName } from '../../pipelines/flights/months.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { readFromDisk } from '../../warehouse/store/disk.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import { randomFrom } from '../generate/random.ts';
import { countArgument } from './options.ts';
import { openOwnStage } from './own-stage.ts';
import { checkNothingHalf, differences, digest, tableHashes, type Digest } from './state.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03'];
const CHILD = path.join(import.meta.dirname, 'child.ts');
const STEPS = [
  ...['start', 'extract', 'load', 'build', 'publish'],
  ...['drop', 'restore', 'build again', 'rebuild', 'done'],
];

/** A run may take so much longer than the one before. */
const DRIFT = 1.02;

type LastStep = 'publish' | 'build again' | 'rebuild';

const program = new Command('chaos')
  .description('kill -9 the pipeline at random moments and see that nothing is lost or half')
  .option('--rounds <count>', 'how many times', countArgument, 100)
  .option('--rows <count>', 'flights of each month', countArgument, 5_000)
  .option('--seed <number>', 'where the moments come from', countArgument, 1);
const { rounds, rows, seed } = program
  .parse()
  .opts<{ rounds: number; rows: number; seed: number }>();

const { folder, redis, url, close } = await openOwnStage('chaos');
try {
  process.exitCode = await chaos();
} finally {
  await close();
}

async function chaos(): Promise<number> {
  const [before, after] = [await sources('before', 1), await sources('after', 2)];
  const base = path.join(folder, 'base');
  await runToEnd(base, before, 'publish');
  // Every round starts from a service that already serves, and brings new files of its months.
  const calm = await freshCopy(base, 'calm');
  const startedAt = performance.now();
  await runToEnd(calm, after, 'rebuild');
  let runMs = performance.now() - startedAt;
  // The calm run ends in a rebuild, the rounds do not: their marts must be the same all the same.
  const expected = await digest(calm, redis);

  const random = randomFrom(`chaos ${seed}`);
  const line = progressLine('chaos', process.stderr);
  const killedIn = Object.fromEntries(STEPS.map((step) => [step, 0]));
  let [failed, late] = [0, 0];
  for (let round = 1; round <= rounds;) {
    const dataDir = await freshCopy(base, `round-${round}`);
    const { step, endedMs } = await runAndKill(dataDir, after, random.next() * runMs);
    // A machine that got busier or calmer has other runs than the first one: moments follow it.
    runMs = endedMs ?? runMs * DRIFT;
    if (endedMs !== undefined) {
      late += 1;
      await rm(dataDir, { recursive: true });
      continue;
    }
    killedIn[step] = (killedIn[step] ?? 0) + 1;
    const differing = await differingAfterwards(dataDir, after, { step, expected });
    if (differing.length > 0) failed += 1;
    const verdict = differing.length > 0 ? `: DIFFERS in ${differing.join(', ')}` : '';
    line.show({ done: round, total: rounds, what: `killed in ${step}${verdict}` });
    if (verdict) line.note(`round ${round}, killed in ${step}${verdict}`);
    await rm(dataDir, { recursive: true });
    round += 1;
  }
  line.end();
  const moments = STEPS.map((step) => `${step} ${killedIn[step]}`).join(', ');
  console.log(
    `${rounds - failed} of ${rounds} rounds end like a calm run; killed in: ${moments}; ${late} more came to their end before they were killed`,
  );
  return failed === 0 ? 0 : 1;
}

/** What is not as after the calm run, once the pipeline ran again; after a rebuild was killed, at once as well. */
async function differingAfterwards(
  dataDir: string,
  files: string[],
  { step, expected }: { step: string; expected: Digest },
): Promise<string[]> {
  await checkNothingHalf(dataDir, redis);
  // Until the rebuilt file is whole the old one, built just before, must answer in its place.
  const { lake: _lake, store: _store, ...tables } = expected;
  const found = step === 'rebuild' ? await tableHashes(dataPaths(dataDir).warehouseFile) : tables;
  const torn = differences(tables, found).map((name) => `${name} at once`);
  await runToEnd(dataDir, files, 'build again');
  return [...torn, ...differences(expected, await digest(dataDir, redis))];
}

async function sources(name: string, sourceSeed: number): Promise<string[]> {
  const dir = path.join(folder, name);
  await mkdir(dir);
  const files = MONTHS.map((month) => path.join(dir, btsFileName(month)));
  for (const [index, month] of MONTHS.entries()) {
    await writeBtsMonth(files[index] ?? '', {
      month,
      rows,
      seed: sourceSeed,
      badRowRate: 0.001,
    });
  }
  return files;
}

/** A copy of the data folder, and Redis serving what it serves. */
async function freshCopy(from: string, name: string): Promise<string> {
  const dataDir = path.join(folder, name);
  await cp(from, dataDir, { recursive: true });
  const store = await readFromDisk(dataPaths(dataDir).storeDir);
  if (!store) throw new Error(`${from} serves nothing`);
  await redis.flushall();
  await saveToRedis(redis, store);
  return dataDir;
}

async function runToEnd(dataDir: string, files: string[], last: LastStep): Promise<void> {
  const child = start(dataDir, files, last);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the pipeline failed after a kill:\n${errors}`);
}

/** Kills the pipeline after that time: the step it was in, and how long it took where it came to its end before. */
async function runAndKill(
  dataDir: string,
  files: string[],
  afterMs: number,
): Promise<{ step: string; endedMs?: number }> {
  const startedAt = performance.now();
  const child = start(dataDir, files, 'rebuild');
  let step = 'start';
  child.stdout.on('data', (chunk: Buffer) => {
    step = chunk.toString().trim().split('\n').at(-1) ?? step;
  });
  child.stderr.resume();
  const closed = once(child, 'close');
  const ended = closed.then(() => performance.now() - startedAt);
  const endedMs = await Promise.race([sleep(afterMs, undefined), ended]);
  child.kill('SIGKILL');
  await closed;
  return { step, ...(endedMs !== undefined && { endedMs }) };
}

function start(dataDir: string, files: string[], last: LastStep) {
  return spawn(process.execPath, [CHILD, dataDir, url, last, ...files]);
}
