/**
 * `make chaos PART=storage ROUNDS=50`: machines that share a lake in OpenStack Swift write the same month over a line that
 * cuts, stalls and answers 503, one of them killed in between, and the storage is away for a while.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { readConfig } from '../../jobs/config.ts';
import { openLakeHome, sharedOptions } from '../../jobs/wiring/lake-home.ts';
import { createSteps } from '../../jobs/wiring/steps.ts';
import { isIntact, readManifest } from '../../warehouse/lake/lake.ts';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { versionsOf } from '../../warehouse/lake/versions.ts';
import { openObjects } from '../../warehouse/objects/open.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import { randomFrom } from '../generate/random.ts';
import { openBadLine } from '../stage/bad-line.ts';
import { countArgument } from './options.ts';
import { openOwnStage } from './own-stage.ts';
import { startSwift } from '../stage/swift.ts';

const MONTH = '2025-01';
const REF = { month: MONTH, tree: 'flights' } as const;
const CHILD = join(import.meta.dirname, 'storage-child.ts');
const MACHINES = ['one', 'two'];
const TROUBLE_PERCENT = 20;
const AWAY_MS = 3_000;

const program = new Command('chaos-storage')
  .description('see that a shared lake loses nothing that was acknowledged')
  .option('--rounds <count>', 'how many times', countArgument, 50)
  .option('--rows <count>', 'flights of the month', countArgument, 2_000)
  .option('--seed <number>', 'where moments and troubles come from', countArgument, 1);
const { rounds, rows, seed } = program
  .parse()
  .opts<{ rounds: number; rows: number; seed: number }>();

const { folder, redis, url, close } = await openOwnStage('storage');
const random = randomFrom(`storage ${seed}`);
const startedAt = performance.now();
const swift = await startSwift();
const upMs = performance.now() - startedAt;
const line = await openBadLine(swift.url, random);
try {
  process.exitCode = await chaos();
} finally {
  await line.close();
  await swift.close();
  await close();
}

function machine(name: string, changes: Record<string, string> = {}) {
  const env = {
    DATA_DIR: join(folder, name),
    REDIS_URL: url,
    LAKE_URL: 's3://lake/months',
    S3_ENDPOINT: line.url,
    AWS_ACCESS_KEY_ID: swift.key.accessKeyId,
    AWS_SECRET_ACCESS_KEY: swift.key.secretAccessKey,
    OFFLINE: '1',
    KEEP_VERSIONS: '9',
    ...changes,
  };
  return { env, config: readConfig(env) };
}

async function chaos(): Promise<number> {
  console.log(`Swift answers after ${seconds(upMs)}`);
  await swift.makeBucket('lake');
  const files = await Promise.all([1, 2, 3].map(aFile));
  await costs(files[0] ?? '');
  const calmMs = await calm(files);
  const progress = progressLine('storage', process.stderr);
  let [killed, lost, failed] = [0, 0, 0];
  for (let round = 1; round <= rounds; round++) {
    line.setRate(TROUBLE_PERCENT);
    const before = await counting('reader');
    const runs = MACHINES.map((name, at) => run(name, files[(round + at) % files.length] ?? ''));
    const isAway = round % 5 === 0;
    if (isAway) await awayForAWhile();
    await sleep(random.next() * calmMs);
    const victim = runs[round % runs.length];
    if (victim?.kill() === true) killed += 1;
    const written = (await Promise.all(runs.map(({ end }) => end))).flat();
    line.setRate(0);
    const problems = await problemsAfter(before, written);
    if (written.length === 0) failed += 1;
    if (problems.length > 0) lost += 1;
    progress.show({ done: round, total: rounds, what: problems.join('; ') || 'whole' });
    for (const problem of problems) console.error(`round ${round}: ${problem}`);
  }
  const told = [...line.troubles].map(([what, times]) => `${times} ${what}`).join(', ');
  console.log(
    `${rounds} rounds of ${MACHINES.length} machines at one month, ${killed} killed; ${told}`,
  );
  console.log(`${rounds - lost} of ${rounds} whole; in ${failed} nobody came to an end`);
  const isTidy = await tidied();
  const isTold = await refusals();
  return lost === 0 && isTidy && isTold ? 0 : 1;
}

async function aFile(source: number): Promise<string> {
  await mkdir(join(folder, 'files'), { recursive: true });
  const file = join(folder, 'files', `source-${source}.zip`);
  await writeBtsMonth(file, { month: MONTH, rows, seed: source });
  return file;
}

/** Requests of a first load, of one that replaces it, of looking, and of a night that brings nothing. */
async function costs(file: string): Promise<void> {
  const { config } = machine('costs');
  const steps = createSteps({ ...config, codeVersion: 'chaos' }, redis);
  const silent = () => undefined;
  const told = async (what: string, work: () => Promise<unknown>) => {
    line.counted();
    await work();
    const counted = Object.entries(line.counted()).map(([method, times]) => `${times} ${method}`);
    console.log(`requests of ${what}: ${counted.join(', ') || 'none'}`);
  };
  await told('a first month', () => steps.extractFile({ path: file }, silent));
  await told('the same file again', () => steps.extractFile({ path: file }, silent));
  await told('a month that is replaced', () =>
    steps.extractFile({ path: file, force: true }, silent),
  );
  await told('loading it', () => steps.loadMonths([MONTH], silent));
  await told('a build', () => steps.buildFeatures(silent));
  const other = openLakeHome(machine('fresh').config, redis);
  await told('a new machine that looks', () => other.refresh());
  await told('all files of a month', () => other.fetch());
  await told('tidying', () => other.tidy());
}

async function calm(files: string[]): Promise<number> {
  const from = performance.now();
  await Promise.all(MACHINES.map((name, at) => run(name, files[at] ?? '').end));
  return performance.now() - from;
}

function run(name: string, file: string): { kill: () => boolean; end: Promise<string[]> } {
  const child = spawn(process.execPath, [CHILD, file], {
    env: { ...process.env, ...machine(name).env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = text(child.stdout);
  const ended = once(child, 'close');
  return {
    kill: () => child.exitCode === null && child.kill('SIGKILL'),
    end: ended.then(async () =>
      [...(await said).matchAll(/^written (.+)$/gm)].map(([, source = '']) => source),
    ),
  };
}

async function awayForAWhile(): Promise<void> {
  line.setAway(true);
  await sleep(AWAY_MS);
  line.setAway(false);
}

/** What counts and what is kept of the month, by their fingerprints, as a machine sees it. */
async function counting(name: string) {
  const { config } = machine(name);
  const { lakeDir } = dataPaths(config.dataDir);
  const home = openLakeHome(config, redis);
  await home.refresh();
  await home.fetch();
  const manifest = await readManifest(lakeDir, MONTH);
  const versions = await versionsOf(lakeDir, REF, manifest);
  return {
    source: manifest?.source.name,
    isWhole: manifest !== undefined && (await isIntact(lakeDir, manifest)),
    kept: versions.map(({ manifest: { source } }) => source.name),
  };
}

/** A machine that starts with nothing must see all that was acknowledged: the last as the month, the others as versions. */
async function problemsAfter(
  before: Awaited<ReturnType<typeof counting>>,
  written: string[],
): Promise<string[]> {
  await rm(join(folder, 'reader'), { recursive: true, force: true });
  const now = await counting('reader');
  const known = [now.source, ...now.kept];
  const missing = [before.source, ...written].filter((source) => !known.includes(source));
  return [
    ...(now.isWhole ? [] : ['the month is not whole']),
    ...missing.map((source) => `${source} is neither the month nor a version`),
    ...(written.length > 0 && !written.includes(now.source ?? '') && now.source === before.source
      ? ['the month is what it was before it was written']
      : []),
  ];
}

/** A day later nothing is left but what counts, the versions and the copies of the pointers. */
async function tidied(): Promise<boolean> {
  const { config } = machine('reader');
  const now = () => new Date(Date.now() + 2 * DAY_MS);
  const removed = await openLakeHome({ ...config, now }, redis).tidy();
  const { kept } = await counting('reader');
  const { objects } = sharedOptions(config, config.lake!, redis);
  const manifests = (await objects.list('flights/')).filter(({ name }) =>
    name.endsWith('manifest.json'),
  );
  console.log(`${removed} objects of killed machines removed, ${manifests.length} versions left`);
  return manifests.length === kept.length + 1 && (await counting('reader')).isWhole;
}

/** What a person is told when key, bucket or server are not what they should be. */
async function refusals(): Promise<boolean> {
  const cases: [string, Record<string, string>, RegExp][] = [
    ['another secret', { AWS_SECRET_ACCESS_KEY: 'other' }, /check AWS_ACCESS_KEY_ID/],
    ['no such bucket', { LAKE_URL: 's3://gone/months' }, /create the bucket/],
    ['another region', { S3_REGION: 'eu-west-9' }, /S3_REGION/],
  ];
  let isTold = true;
  for (const [what, changes, expected] of cases) {
    const objects = openObjects(machine('reader', changes).config.lake!);
    const said = await objects.check().then(
      () => 'nothing',
      (error: unknown) => (error as Error).message,
    );
    console.log(`${what}: ${said}`);
    isTold &&= expected.test(said);
  }
  return isTold;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
