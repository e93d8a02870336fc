/**
 * `make chaos PART=storage ROUNDS=50`: two machines that share a lake in OpenStack Swift write the same month at the
 * same time. The connection drops requests, delays them or answers 503. One machine is killed, and at times the storage
 * is unreachable.
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
import { openLakeHome, sharedLakeOptions } from '../../jobs/wiring/lake-home.ts';
import { createSteps } from '../../jobs/wiring/steps.ts';
import { isIntact, readManifest } from '../../warehouse/lake/lake.ts';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { listVersions } from '../../warehouse/lake/versions.ts';
import { openObjects } from '../../warehouse/objects/open.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import { randomFrom } from '../generate/random.ts';
import { openDisturbedProxy } from '../stage/bad-line.ts';
import { countArgument } from './options.ts';
import { openPartStage } from './own-stage.ts';
import { startSwift } from '../stage/swift.ts';

const MONTH = '2025-01';
const REF = { month: MONTH, tree: 'flights' } as const;
const CHILD = join(import.meta.dirname, 'storage-child.ts');
const MACHINES = ['one', 'two'];
const TROUBLE_PERCENT = 20;
const OUTAGE_MS = 3_000;

const program = new Command('chaos-storage')
  .description('check that a shared lake loses no acknowledged month')
  .option('--rounds <count>', 'number of rounds', countArgument, 50)
  .option('--rows <count>', 'flights of the month', countArgument, 2_000)
  .option('--seed <number>', 'seed of the random moments and disturbances', countArgument, 1);
const { rounds, rows, seed } = program
  .parse()
  .opts<{ rounds: number; rows: number; seed: number }>();

const { folder, redis, url, close } = await openPartStage('storage');
const random = randomFrom(`storage ${seed}`);
const startedAt = performance.now();
const swift = await startSwift();
const upMs = performance.now() - startedAt;
const line = await openDisturbedProxy(swift.url, random);
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
  console.log(`Swift answered after ${formatSeconds(upMs)}`);
  await swift.makeBucket('lake');
  const files = await Promise.all([1, 2, 3].map(writeSource));
  await printRequestCosts(files[0] ?? '');
  const calmMs = await timeCalmRun(files);
  const progress = progressLine('storage', process.stderr);
  let [killed, lost, failed] = [0, 0, 0];
  for (let round = 1; round <= rounds; round++) {
    line.setRate(TROUBLE_PERCENT);
    const before = await readMonth('reader');
    const runs = MACHINES.map((name, at) => run(name, files[(round + at) % files.length] ?? ''));
    const hasOutage = round % 5 === 0;
    if (hasOutage) await causeOutage();
    await sleep(random.next() * calmMs);
    const victim = runs[round % runs.length];
    if (victim?.kill() === true) killed += 1;
    const written = (await Promise.all(runs.map(({ end }) => end))).flat();
    line.setRate(0);
    const problems = await findProblems(before, written);
    if (written.length === 0) failed += 1;
    if (problems.length > 0) lost += 1;
    progress.show({ done: round, total: rounds, what: problems.join('; ') || 'month intact' });
    for (const problem of problems) console.error(`round ${round}: ${problem}`);
  }
  const printCost = [...line.disturbances].map(([kind, times]) => `${times} ${kind}`).join(', ');
  console.log(
    `${rounds} rounds of ${MACHINES.length} machines at one month, ${killed} killed; ${printCost}`,
  );
  console.log(
    `${rounds - lost} of ${rounds} rounds left the month intact; in ${failed} no machine finished`,
  );
  const isTidy = await checkTidying();
  const hasTexts = await checkErrorTexts();
  return lost === 0 && isTidy && hasTexts ? 0 : 1;
}

async function writeSource(source: number): Promise<string> {
  await mkdir(join(folder, 'files'), { recursive: true });
  const file = join(folder, 'files', `source-${source}.zip`);
  await writeBtsMonth(file, { month: MONTH, rows, seed: source });
  return file;
}

/**
 * Prints how many storage requests each step takes: a first extract, an extract that replaces a month, a refresh, and
 * other steps.
 */
async function printRequestCosts(file: string): Promise<void> {
  const { config } = machine('costs');
  const steps = createSteps({ ...config, codeVersion: 'chaos' }, redis);
  const silent = () => undefined;
  const measureCost = async (name: string, work: () => Promise<unknown>) => {
    line.takeCounts();
    await work();
    const counted = Object.entries(line.takeCounts()).map(
      ([method, times]) => `${times} ${method}`,
    );
    console.log(`requests of ${name}: ${counted.join(', ') || 'none'}`);
  };
  await measureCost('a first month', () => steps.extractFile({ path: file }, silent));
  await measureCost('the same file again', () => steps.extractFile({ path: file }, silent));
  await measureCost('replacing a month', () =>
    steps.extractFile({ path: file, force: true }, silent),
  );
  await measureCost('loading a month', () => steps.loadMonths([MONTH], silent));
  await measureCost('a build', () => steps.buildFeatures(silent));
  const freshHome = openLakeHome(machine('fresh').config, redis);
  await measureCost('a refresh by a new machine', () => freshHome.refresh());
  await measureCost('all files of a month', () => freshHome.fetch());
  await measureCost('tidying', () => freshHome.tidy());
}

async function timeCalmRun(files: string[]): Promise<number> {
  const from = performance.now();
  await Promise.all(MACHINES.map((name, at) => run(name, files[at] ?? '').end));
  return performance.now() - from;
}

function run(name: string, file: string): { kill: () => boolean; end: Promise<string[]> } {
  const child = spawn(process.execPath, [CHILD, file], {
    env: { ...process.env, ...machine(name).env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = text(child.stdout);
  const exit = once(child, 'close');
  return {
    kill: () => child.exitCode === null && child.kill('SIGKILL'),
    end: exit.then(async () =>
      [...(await output).matchAll(/^written (.+)$/gm)].map(([, source = '']) => source),
    ),
  };
}

async function causeOutage(): Promise<void> {
  line.setOffline(true);
  await sleep(OUTAGE_MS);
  line.setOffline(false);
}

/** Returns the sources of the month's current version and of its former versions, as a machine sees them. */
async function readMonth(name: string) {
  const { config } = machine(name);
  const { lakeDir } = dataPaths(config.dataDir);
  const home = openLakeHome(config, redis);
  await home.refresh();
  await home.fetch();
  const manifest = await readManifest(lakeDir, MONTH);
  const versions = await listVersions(lakeDir, REF, manifest);
  return {
    source: manifest?.source.name,
    isWhole: manifest !== undefined && (await isIntact(lakeDir, manifest)),
    former: versions.map(({ manifest: { source } }) => source.name),
  };
}

/**
 * Checks that an empty machine sees all acknowledged sources: one source as the current month, and every other source
 * as a former version.
 */
async function findProblems(
  before: Awaited<ReturnType<typeof readMonth>>,
  written: string[],
): Promise<string[]> {
  await rm(join(folder, 'reader'), { recursive: true, force: true });
  const now = await readMonth('reader');
  const sources = [now.source, ...now.former];
  const missing = [before.source, ...written].filter((source) => !sources.includes(source));
  return [
    ...(now.isWhole ? [] : ['the month is incomplete']),
    ...missing.map((source) => `${source} is neither the month nor a version`),
    ...(written.length > 0 && !written.includes(now.source ?? '') && now.source === before.source
      ? ['the month is unchanged although it was written']
      : []),
  ];
}

/**
 * Checks that tidying leaves only three kinds of files: the month, its versions, and copies of the pointers. The
 * tidying machine's clock is two days ahead.
 */
async function checkTidying(): Promise<boolean> {
  const { config } = machine('reader');
  const now = () => new Date(Date.now() + 2 * DAY_MS);
  const removed = await openLakeHome({ ...config, now }, redis).tidy();
  const { former } = await readMonth('reader');
  const { objects } = sharedLakeOptions(config, config.lake!, redis);
  const manifests = (await objects.list('flights/')).filter(({ name }) =>
    name.endsWith('manifest.json'),
  );
  console.log(`${removed} objects of killed machines removed, ${manifests.length} versions remain`);
  return manifests.length === former.length + 1 && (await readMonth('reader')).isWhole;
}

/** Checks the messages for a wrong secret, a missing bucket and another region. */
async function checkErrorTexts(): Promise<boolean> {
  const cases: [string, Record<string, string>, RegExp][] = [
    ['a wrong secret', { AWS_SECRET_ACCESS_KEY: 'other' }, /check AWS_ACCESS_KEY_ID/],
    ['a missing bucket', { LAKE_URL: 's3://gone/months' }, /create the bucket/],
    ['another region', { S3_REGION: 'eu-west-9' }, /S3_REGION/],
  ];
  let hasAllTexts = true;
  for (const [name, changes, expected] of cases) {
    const objects = openObjects(machine('reader', changes).config.lake!);
    const message = await objects.check().then(
      () => 'no error',
      (error: unknown) => (error as Error).message,
    );
    console.log(`${name}: ${message}`);
    hasAllTexts &&= expected.test(message);
  }
  return hasAllTexts;
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
