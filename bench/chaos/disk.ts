/**
 * `make chaos PART=disk ROUNDS=20`: fills the disk at a random moment of a step, and frees it again. Data folder and
 * Redis are on a small disk in memory. Needs root.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { btsFileName } from '../../pipelines/flights/months.ts';
import { requestFile, requestStep } from '../../jobs/queue/requests.ts';
import type { JobRef } from '../../jobs/queue/queues.ts';
import { listAllEntries } from '../../warehouse/ground/files.ts';
import { fileSha256 } from '../../warehouse/ground/hashes.ts';
import { isIntact, readManifests } from '../../warehouse/lake/lake.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import type { Random } from '../generate/random.ts';
import { goodCount, startCallers, unexpectedCount } from './callers.ts';
import { openPartStage } from './own-stage.ts';
import { roundOptions, runRounds, type RoundResult } from './rounds.ts';
import { FAILING, findLastingFailure, startService, type ChaosService } from './service.ts';

const STEPS = ['ingest', 'rebuild', 'build-features', 'train', 'publish'] as const;
type Step = (typeof STEPS)[number];

const SIZE = '400m';
/** Numbers of months and flights that are enough for a training. */
const MONTHS = ['2025-01', '2025-02', '2025-03', '2025-04'];
const ROWS = 25_000;
const FULL_MS = 8_000;
/** Free space on a nearly full disk: too little for jobs, but enough for Redis. */
const NEARLY_FULL_BYTES = 30_000_000;
const DEADLINE_MS = 180_000;

const options = roundOptions('disk', 'fill the disk during a step and check that nothing is lost');
const disk = await mkdtemp(path.join(tmpdir(), 'hw-disk-'));
const sources = await mkdtemp(path.join(tmpdir(), 'hw-source-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', disk]);
if (mounted.status === 0) {
  const stage = await openPartStage('disk', disk);
  const service = await startService(stage);
  try {
    process.exitCode = await chaos(service);
  } finally {
    await service.stop();
    await stage.close();
    spawnSync('umount', ['-l', disk]);
  }
} else {
  console.error(`disk is left out: a disk cannot be mounted (${mounted.stderr.toString().trim()})`);
}
for (const folder of [disk, sources]) await rm(folder, { recursive: true, force: true });

async function chaos(own: ChaosService): Promise<number> {
  const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: 1_000_000_000 };
  const { apiKey } = await own.keys.create(owner, 'test', new Date());
  for (const month of MONTHS) await own.followJob(await requestMonth(own, month, 0), DEADLINE_MS);
  const calmMs: Partial<Record<Step, number>> = {};
  for (const step of STEPS) {
    await prepare(own, step, STEPS.indexOf(step) + 1_000);
    const from = performance.now();
    await own.followJob(await request(own, step, 0), DEADLINE_MS);
    calmMs[step] = performance.now() - from;
  }
  return runRounds('disk', options, (round, random) => {
    const step = STEPS[round % STEPS.length] ?? 'ingest';
    const afterMs = random.next() * (calmMs[step] ?? 0);
    return fillDuring(own, { step, afterMs, seed: round + 1, apiKey, random });
  });
}

type Plan = { step: Step; afterMs: number; seed: number; apiKey: string; random: Random };

async function fillDuring(own: ChaosService, plan: Plan): Promise<RoundResult> {
  const { step, afterMs, seed, apiKey, random } = plan;
  const isNearly = random.next() < 0.5;
  const problems: string[] = [];
  await prepare(own, step, seed);
  const countBefore = (await own.keys.usage(apiKey, new Date())).monthCount;
  const callers = startCallers([own.api.address], apiKey, 20);
  const job = await request(own, step, seed);
  const ended = own.followJob(job, DEADLINE_MS).then(
    () => 'done',
    (error: Error) => error.message,
  );
  await sleep(afterMs);
  const ballast = path.join(disk, 'ballast');
  await fill(ballast, isNearly ? NEARLY_FULL_BYTES : 0);
  await sleep(FULL_MS);
  const status = await own.run('status');
  if (status.code !== FAILING) problems.push(`status ends with ${status.code} on a full disk`);
  if (isNearly && goodCount(callers.answers) < callers.answers.length) {
    problems.push('calls failed although Redis had space');
  }
  await rm(ballast);
  const end = await ended;
  if (end.includes('timeout')) problems.push(`the job hung: ${end}`);
  await own.followJob(await request(own, step, seed), DEADLINE_MS);
  if (!(await callers.untilSuccessful(2_000, 30_000))) problems.push('calls still fail');
  const answers = await callers.stop();
  const counted = (await own.keys.usage(apiKey, new Date())).monthCount - countBefore;
  if (counted < goodCount(answers)) problems.push(`${goodCount(answers) - counted} counts lost`);
  if (unexpectedCount(answers) > 0) problems.push(`${unexpectedCount(answers)} unexpected answers`);
  problems.push(...(await findLosses(own.dataDir)));
  problems.push(...(await findLastingFailure(own, 60_000)));
  const outcome = end === 'done' ? 'succeeded' : 'failed with its reason';
  return { what: `${step}, ${isNearly ? 'nearly full' : 'full'}: the job ${outcome}`, problems };
}

/** Gives the step something new to do: a build needs another month, and a publish needs another build. */
async function prepare(own: ChaosService, step: Step, seed: number): Promise<void> {
  const before: Partial<Record<Step, Step[]>> = {
    'build-features': ['ingest'],
    publish: ['ingest', 'build-features'],
  };
  for (const earlier of before[step] ?? []) {
    await own.followJob(await request(own, earlier, seed), DEADLINE_MS);
  }
}

/** Requests the step. An ingest replaces the month with the same number of other flights. */
async function request(own: ChaosService, step: Step, seed: number): Promise<JobRef> {
  if (step !== 'ingest') return requestStep(own.queues, step);
  const [month = ''] = MONTHS;
  return requestMonth(own, month, seed);
}

async function requestMonth(own: ChaosService, month: string, seed: number): Promise<JobRef> {
  const file = path.join(sources, btsFileName(month));
  await writeBtsMonth(file, { month, rows: ROWS, seed: seed + 1, badRowRate: 0 });
  const sha256 = await fileSha256(file);
  return (await requestFile(own.queues, { path: file, sha256, force: true })).load;
}

async function fill(ballast: string, freeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  const bytes = Math.max(0, bavail * bsize - freeBytes);
  await writeFile(ballast, Buffer.alloc(bytes)).catch(() => undefined);
}

async function findLosses(dataDir: string): Promise<string[]> {
  const { lakeDir } = dataPaths(dataDir);
  const problems: string[] = [];
  const manifests = await readManifests(lakeDir);
  for (const month of MONTHS) {
    const loaded = manifests.find((manifest) => manifest.month === month)?.rows.loaded;
    if (loaded !== ROWS) problems.push(`${month} has ${loaded} flights instead of ${ROWS}`);
  }
  for (const manifest of manifests) {
    if (!(await isIntact(lakeDir, manifest))) problems.push(`${manifest.month} is damaged`);
  }
  const entries = await listAllEntries(dataDir);
  const temporary = entries.filter(({ name }) => /^\..*\.tmp/.test(name));
  if (temporary.length > 0) problems.push(`${temporary.length} temporary files remain`);
  return problems;
}
