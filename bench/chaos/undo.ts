/**
 * `make chaos PART=undo ROUNDS=60`: kills a drop or a restore, and checks the state right after the kill and after
 * another run.
 */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { createSteps } from '../../jobs/wiring/steps.ts';
import { currentManifest } from '../../warehouse/lake/place-month.ts';
import { listVersions } from '../../warehouse/lake/versions.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { readFromDisk } from '../../warehouse/store/disk.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import { randomFrom } from '../generate/random.ts';
import { countArgument } from './options.ts';
import { openPartStage } from './own-stage.ts';
import { readMonthContents, differences, stateAfterKill, type Digest } from './state.ts';

const MONTH = '2025-01';
const OTHER_MONTH = '2025-02';
const CHILD = path.join(import.meta.dirname, 'undo-child.ts');

type Undo = {
  name: string;
  /** The data folder from which the undo starts. */
  from: string;
  /** The version to restore; if empty, the month is dropped. */
  version: string;
  before: Digest;
  after: Digest;
  /** Duration of the undo in an undisturbed run. */
  undoMs: number;
  /** Total duration of an undisturbed run. */
  wholeMs: number;
};

const program = new Command('chaos-undo')
  .description(
    'kill drops and restores at random moments and check that no version is lost and no state is mixed',
  )
  .option('--rounds <count>', 'number of rounds', countArgument, 60)
  .option('--rows <count>', 'flights of each month', countArgument, 2_000)
  .option('--seed <number>', 'seed of the random moments', countArgument, 1)
  .option('--no-publish', 'only lake and warehouse');
const { rounds, rows, seed, publish } = program
  .parse()
  .opts<{ rounds: number; rows: number; seed: number; publish: boolean }>();

const { folder, redis, url, close } = await openPartStage('undo');
try {
  process.exitCode = await chaos();
} finally {
  await close();
}

async function chaos(): Promise<number> {
  const undos = await measureUndos();
  const random = randomFrom(`undo ${seed}`);
  const line = progressLine('undo', process.stderr);
  const killsByStep: Record<string, number> = {};
  let failed = 0;
  for (let round = 0; round < rounds; round++) {
    const undo = undos[round % undos.length] as Undo;
    // Each pass kills every kind of undo once. Passes alternate between two periods: the undo itself, and the whole
    // run, which also builds and publishes. From pass to pass, the kill moves toward the end of its period, so that the
    // kills are spread evenly.
    const [pass, passes] = [Math.floor(round / undos.length), Math.ceil(rounds / undos.length)];
    const part = (pass + random.next()) / passes;
    const { place, problems } = await killAndCheck(
      undo,
      part * (pass % 2 === 0 ? undo.undoMs : undo.wholeMs),
    );
    killsByStep[place] = (killsByStep[place] ?? 0) + 1;
    if (problems.length > 0) failed += 1;
    const what = `${undo.name}, killed in ${place}`;
    line.show({ done: round + 1, total: rounds, what });
    if (problems.length > 0) line.note(`round ${round + 1}, ${what}: ${problems.join('; ')}`);
  }
  line.end();
  const moments = Object.entries(killsByStep).map(([where, count]) => `${where} ${count}`);
  console.log(
    `${rounds - failed} of ${rounds} killed drops and restores lost nothing and ended like undisturbed ones; killed in: ${moments.toSorted().join(', ')}`,
  );
  return failed === 0 ? 0 : 1;
}

/**
 * Measures undisturbed runs of each kind: a drop, a restore of the dropped version, and a restore of an earlier version
 * without a drop.
 */
async function measureUndos(): Promise<Undo[]> {
  const base = path.join(folder, 'base');
  await fillLake(base);
  const [earlier = ''] = await versionIds(base);
  const drop = await runCalm('drop', base, '');
  const droppedDir = path.join(folder, 'calm drop');
  const [last = ''] = await versionIds(droppedDir);
  const restore = await runCalm('restore of a drop', droppedDir, last);
  return rounds < 3 ? [drop, restore] : [drop, restore, await runCalm('restore', base, earlier)];
}

/** Loads two months, one of them twice. */
async function fillLake(dataDir: string): Promise<void> {
  const steps = createSteps({ dataDir, codeVersion: 'chaos', offline: true }, redis);
  const silent = () => undefined;
  for (const [index, month] of [MONTH, OTHER_MONTH, MONTH].entries()) {
    const file = path.join(folder, `${index}.zip`);
    await writeBtsMonth(file, { month, rows, seed: index, badRowRate: 0.001 });
    await steps.extractFile({ path: file, force: true }, silent);
    await steps.loadMonths([month], silent);
  }
  if (!publish) return;
  await steps.buildFeatures(silent);
  await steps.publishStore(silent);
}

async function versionIds(dataDir: string): Promise<string[]> {
  const { lakeDir } = dataPaths(dataDir);
  const ref = { month: MONTH, tree: 'flights' } as const;
  const versions = await listVersions(lakeDir, ref, await currentManifest(lakeDir, ref));
  return versions.map(({ id }) => id);
}

async function runCalm(name: string, from: string, version: string): Promise<Undo> {
  const dataDir = await freshCopy(from, `calm ${name}`);
  const before = await stateAfterKill(dataDir, redis);
  const child = start(dataDir, version);
  const startedAt = performance.now();
  const at: Record<string, number> = {};
  child.stdout.on('data', (chunk: Buffer) => {
    for (const step of chunk.toString().trim().split('\n')) {
      at[step] = performance.now() - startedAt;
    }
  });
  await waitForSuccess(child);
  const { undo: beganAt = 0, done: doneAt = 0, build: undoneAt = doneAt } = at;
  const after = await stateAfterKill(dataDir, redis);
  const [undoMs, wholeMs] = [undoneAt - beganAt, doneAt - beganAt];
  return { name, from, version, before, after, undoMs, wholeMs };
}

/**
 * Kills the undo after `afterMs` and runs the undo again, as the queue does. Returns the problems found after the kill
 * and after the second run.
 */
async function killAndCheck(
  undo: Undo,
  afterMs: number,
): Promise<{ place: string; problems: string[] }> {
  const dataDir = await freshCopy(undo.from, 'round');
  const remainingBefore = await readMonthContents(dataDir, MONTH);
  const child = start(dataDir, undo.version);
  let step = 'start';
  child.stdout.on('data', (chunk: Buffer) => {
    step = chunk.toString().trim().split('\n').at(-1) ?? step;
  });
  child.stderr.resume();
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data').then(() => sleep(afterMs)), closed]);
  child.kill('SIGKILL');
  await closed;

  const afterKill = await stateAfterKill(dataDir, redis);
  const between = differences(undo.before, afterKill).filter((name) =>
    differences(undo.after, afterKill).includes(name),
  );
  const remaining = await readMonthContents(dataDir, MONTH);
  const lost = remainingBefore.filter((content) => !remaining.includes(content));
  await waitForSuccess(start(dataDir, undo.version));
  const inTheEnd = differences(undo.after, await stateAfterKill(dataDir, redis));
  await rm(dataDir, { recursive: true });
  return {
    place: step === 'undo' ? `undo (${describeProgress(undo, afterKill)})` : step,
    problems: [
      ...between.map((name) => `${name} is neither in its former nor in its new state`),
      ...lost.map((content) => `${content} is lost`),
      ...inTheEnd.map((name) => `${name} differs in the end`),
    ],
  };
}

/** Describes what the undo had changed before the kill. */
function describeProgress({ before }: Undo, atOnce: Digest): string {
  const changed = differences(before, atOnce);
  if (!changed.includes('lake')) return 'nothing changed';
  return changed.includes('warehouse') ? 'lake and warehouse changed' : 'lake changed';
}

/** Copies the data folder, and loads its store into an emptied Redis. */
async function freshCopy(from: string, name: string): Promise<string> {
  const dataDir = path.join(folder, name);
  await cp(from, dataDir, { recursive: true });
  await redis.flushall();
  const store = await readFromDisk(dataPaths(dataDir).storeDir);
  if (store) await saveToRedis(redis, store);
  return dataDir;
}

function start(dataDir: string, version: string) {
  const last = publish ? 'publish' : 'undo';
  return spawn(process.execPath, [CHILD, dataDir, url, MONTH, version, last]);
}

async function waitForSuccess(child: ReturnType<typeof start>): Promise<void> {
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the drop or restore failed:\n${errors}`);
}
