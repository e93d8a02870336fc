/**
 * `make chaos PART=pipeline ROUNDS=100`: kills the pipeline at random moments and runs it again. Then compares the
 * result with the result of an undisturbed run.
 */
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
import { openPartStage } from './own-stage.ts';
import { checkAllComplete, differences, digest, tableHashes, type Digest } from './state.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03'];
const CHILD = path.join(import.meta.dirname, 'child.ts');
const STEPS = [
  ...['start', 'extract', 'load', 'build', 'publish'],
  ...['drop', 'restore', 'build again', 'rebuild', 'done'],
];

/** Factor by which the expected duration grows after each round, until a run finishes before it is killed. */
const DRIFT = 1.02;

type LastStep = 'publish' | 'build again' | 'rebuild';

const program = new Command('chaos')
  .description('kill the pipeline at random moments and check that nothing is lost or incomplete')
  .option('--rounds <count>', 'number of rounds', countArgument, 100)
  .option('--rows <count>', 'flights of each month', countArgument, 5_000)
  .option('--seed <number>', 'seed of the random moments', countArgument, 1);
const { rounds, rows, seed } = program
  .parse()
  .opts<{ rounds: number; rows: number; seed: number }>();

const { folder, redis, url, close } = await openPartStage('chaos');
try {
  process.exitCode = await chaos();
} finally {
  await close();
}

async function chaos(): Promise<number> {
  const [before, after] = [await writeSources('before', 1), await writeSources('after', 2)];
  const base = path.join(folder, 'base');
  await runToEnd(base, before, 'publish');
  // Every round starts from a service with published months. It replaces these months with new files.
  const calmDir = await freshCopy(base, 'calm');
  const startedAt = performance.now();
  await runToEnd(calmDir, after, 'rebuild');
  let runMs = performance.now() - startedAt;
  // The undisturbed run ends with a rebuild, but the rounds do not. Both must nevertheless end with equal marts.
  const expected = await digest(calmDir, redis);

  const random = randomFrom(`chaos ${seed}`);
  const line = progressLine('chaos', process.stderr);
  const killedIn = Object.fromEntries(STEPS.map((step) => [step, 0]));
  let [failed, tooLate] = [0, 0];
  for (let round = 1; round <= rounds;) {
    const dataDir = await freshCopy(base, `round-${round}`);
    const { step, endedMs } = await runAndKill(dataDir, after, random.next() * runMs);
    // Adjusts the expected duration to the speed of the machine.
    runMs = endedMs ?? runMs * DRIFT;
    if (endedMs !== undefined) {
      tooLate += 1;
      await rm(dataDir, { recursive: true });
      continue;
    }
    killedIn[step] = (killedIn[step] ?? 0) + 1;
    const differing = await differencesAfterRerun(dataDir, after, { step, expected });
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
    `${rounds - failed} of ${rounds} rounds ended like an undisturbed run; killed in: ${moments}; ${tooLate} more finished before their kill`,
  );
  return failed === 0 ? 0 : 1;
}

/**
 * Runs the pipeline again and returns what differs from an undisturbed run. Also compares the tables before the second
 * run, because a killed rebuild must leave the former file usable.
 */
async function differencesAfterRerun(
  dataDir: string,
  files: string[],
  { step, expected }: { step: string; expected: Digest },
): Promise<string[]> {
  await checkAllComplete(dataDir, redis);
  // Until the rebuilt file is complete, the former file must stay in place.
  const { lake: _lake, store: _store, ...tables } = expected;
  const actual = step === 'rebuild' ? await tableHashes(dataPaths(dataDir).warehouseFile) : tables;
  const torn = differences(tables, actual).map((name) => `${name} right after the kill`);
  await runToEnd(dataDir, files, 'build again');
  return [...torn, ...differences(expected, await digest(dataDir, redis))];
}

async function writeSources(name: string, sourceSeed: number): Promise<string[]> {
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

/** Copies the data folder, and loads its store into an emptied Redis. */
async function freshCopy(from: string, name: string): Promise<string> {
  const dataDir = path.join(folder, name);
  await cp(from, dataDir, { recursive: true });
  const store = await readFromDisk(dataPaths(dataDir).storeDir);
  if (!store) throw new Error(`${from} has no store`);
  await redis.flushall();
  await saveToRedis(redis, store);
  return dataDir;
}

async function runToEnd(dataDir: string, files: string[], last: LastStep): Promise<void> {
  const child = start(dataDir, files, last);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the pipeline failed:\n${errors}`);
}

/**
 * Kills the pipeline after `afterMs` and returns the step that was running. If the pipeline finished before, also
 * returns its duration.
 */
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
  const duration = closed.then(() => performance.now() - startedAt);
  const endedMs = await Promise.race([sleep(afterMs, undefined), duration]);
  child.kill('SIGKILL');
  await closed;
  return { step, ...(endedMs !== undefined && { endedMs }) };
}

function start(dataDir: string, files: string[], last: LastStep) {
  return spawn(process.execPath, [CHILD, dataDir, url, last, ...files]);
}
