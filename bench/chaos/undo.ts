/** `make chaos PART=undo ROUNDS=60`: kills a drop or a restore, and looks at once and after another run at what is there. */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { createSteps } from '../../jobs/wiring/steps.ts';
import { currentManifest } from '../../warehouse/lake/place-month.ts';
import { versionsOf } from '../../warehouse/lake/versions.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { readFromDisk } from '../../warehouse/store/disk.ts';
import { saveToRedis } from '../../warehouse/store/redis.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import { randomFrom } from '../generate/random.ts';
import { countArgument } from './options.ts';
import { openOwnStage } from './own-stage.ts';
import { contentsKept, differences, stateAtOnce, type Digest } from './state.ts';

const MONTH = '2025-01';
const OTHER_MONTH = '2025-02';
const CHILD = path.join(import.meta.dirname, 'undo-child.ts');

type Undo = {
  name: string;
  /** The data folder it begins on. */
  from: string;
  /** What is restored; nothing: the month is dropped. */
  version: string;
  before: Digest;
  after: Digest;
  /** How long a calm one takes for the undo, and in all. */
  undoMs: number;
  wholeMs: number;
};

const program = new Command('chaos-undo')
  .description(
    'kill -9 drops and restores all over their run and see that nothing is lost or in between',
  )
  .option('--rounds <count>', 'how many times', countArgument, 60)
  .option('--rows <count>', 'flights of a month', countArgument, 2_000)
  .option('--seed <number>', 'where the moments come from', countArgument, 1)
  .option('--no-publish', 'lake and warehouse alone');
const { rounds, rows, seed, publish } = program
  .parse()
  .opts<{ rounds: number; rows: number; seed: number; publish: boolean }>();

const { folder, redis, url, close } = await openOwnStage('undo');
try {
  process.exitCode = await chaos();
} finally {
  await close();
}

async function chaos(): Promise<number> {
  const undos = await theUndos();
  const random = randomFrom(`undo ${seed}`);
  const line = progressLine('undo', process.stderr);
  const found: Record<string, number> = {};
  let failed = 0;
  for (let round = 0; round < rounds; round++) {
    const undo = undos[round % undos.length] as Undo;
    // Every other kill falls into the undo itself, the others anywhere; both are spread evenly.
    const [turn, turns] = [Math.floor(round / undos.length), Math.ceil(rounds / undos.length)];
    const part = (turn + random.next()) / turns;
    const { where, problems } = await killed(
      undo,
      part * (turn % 2 === 0 ? undo.undoMs : undo.wholeMs),
    );
    found[where] = (found[where] ?? 0) + 1;
    if (problems.length > 0) failed += 1;
    const what = `${undo.name}, killed in ${where}`;
    line.show({ done: round + 1, total: rounds, what });
    if (problems.length > 0) line.note(`round ${round + 1}, ${what}: ${problems.join('; ')}`);
  }
  line.end();
  const moments = Object.entries(found).map(([where, count]) => `${where} ${count}`);
  console.log(
    `${rounds - failed} of ${rounds} killed drops and restores lose nothing and end as they should; killed in: ${moments.toSorted().join(', ')}`,
  );
  return failed === 0 ? 0 : 1;
}

/** A drop, a restore of what was dropped, and one of what was there before, each done calmly once. */
async function theUndos(): Promise<Undo[]> {
  const base = path.join(folder, 'base');
  await filled(base);
  const [earlier = ''] = await versionIds(base);
  const drop = await calm('drop', base, '');
  const dropped = path.join(folder, 'calm drop');
  const [last = ''] = await versionIds(dropped);
  const back = await calm('restore of a drop', dropped, last);
  return rounds < 3 ? [drop, back] : [drop, back, await calm('restore', base, earlier)];
}

/** Two months, one of them loaded twice. */
async function filled(dataDir: string): Promise<void> {
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
  const versions = await versionsOf(lakeDir, ref, await currentManifest(lakeDir, ref));
  return versions.map(({ id }) => id);
}

async function calm(name: string, from: string, version: string): Promise<Undo> {
  const dataDir = await freshCopy(from, `calm ${name}`);
  const before = await stateAtOnce(dataDir, redis);
  const child = start(dataDir, version);
  const startedAt = performance.now();
  const at: Record<string, number> = {};
  child.stdout.on('data', (chunk: Buffer) => {
    for (const step of chunk.toString().trim().split('\n')) {
      at[step] = performance.now() - startedAt;
    }
  });
  await ended(child);
  const { undo: beganAt = 0, done: doneAt = 0, build: undoneAt = doneAt } = at;
  const after = await stateAtOnce(dataDir, redis);
  const [undoMs, wholeMs] = [undoneAt - beganAt, doneAt - beganAt];
  return { name, from, version, before, after, undoMs, wholeMs };
}

/** What is wrong after a kill at that time of the undo: at once, and after the queue would have run it again. */
async function killed(undo: Undo, afterMs: number): Promise<{ where: string; problems: string[] }> {
  const dataDir = await freshCopy(undo.from, 'round');
  const keptBefore = await contentsKept(dataDir, MONTH);
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

  const atOnce = await stateAtOnce(dataDir, redis);
  const between = differences(undo.before, atOnce).filter((name) =>
    differences(undo.after, atOnce).includes(name),
  );
  const kept = await contentsKept(dataDir, MONTH);
  const lost = keptBefore.filter((content) => !kept.includes(content));
  await ended(start(dataDir, undo.version));
  const inTheEnd = differences(undo.after, await stateAtOnce(dataDir, redis));
  await rm(dataDir, { recursive: true });
  return {
    where: step === 'undo' ? `undo (${reached(undo, atOnce)})` : step,
    problems: [
      ...between.map((name) => `${name} is neither as before nor as after`),
      ...lost.map((content) => `${content} is lost`),
      ...inTheEnd.map((name) => `${name} differs in the end`),
    ],
  };
}

/** How far an undo had come. */
function reached({ before }: Undo, atOnce: Digest): string {
  const changed = differences(before, atOnce);
  if (!changed.includes('lake')) return 'nothing changed';
  return changed.includes('warehouse') ? 'lake and warehouse changed' : 'lake changed';
}

/** A copy of the data folder, and Redis serving what it serves. */
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

async function ended(child: ReturnType<typeof start>): Promise<void> {
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`it failed after a kill:\n${errors}`);
}
