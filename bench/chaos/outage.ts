/**
 * `make chaos PART=outage SECONDS=6,60,600`: kills or freezes Redis for each of these durations, while two workers run
 * a backfill and an API receives calls.
 */
import { mkdir } from 'node:fs/promises';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { follow } from '../../jobs/cli/follow.ts';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { requestBackfill } from '../../jobs/queue/backfill-jobs.ts';
import { openQueues, type JobRef, type Queues } from '../../jobs/queue/queues.ts';
import { requestStep } from '../../jobs/queue/requests.ts';
import { readScheduleMarks } from '../../jobs/queue/schedule-marks.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { forkApi, startApi } from '../stage/api-process.ts';
import type { RunningRedis } from '../stage/redis-process.ts';
import { randomFrom } from '../generate/random.ts';
import { writeShortMonth } from '../short-months.ts';
import { publishHistory } from '../trial-service.ts';
import { goodCount, inSeconds, unexpectedCount, startCallers, type Callers } from './callers.ts';
import { countArgument, countsArgument } from './options.ts';
import { openPartStage } from './own-stage.ts';
import { differences, digest, type Digest } from './state.ts';

type OutageKind = 'kill' | 'freeze';

type Round = {
  /**
   * Times from the return of Redis to three events: the first good answer, the next run of a schedule, and the end of
   * all work.
   */
  answersMs: number;
  scheduleMs: number;
  workMs: number;
  /** Answers of the API with a status other than 200 and 503. */
  unexpected: number;
  /** Number of good answers that Redis has not counted. */
  lost: number;
  differingParts: string[];
};

const MONTHS = ['2025-01', '2025-02', '2025-03'];
const WORKERS = 2;
const OUTAGE_KINDS: readonly OutageKind[] = ['kill', 'freeze'];
const TIMEOUT_MS = 120_000;
const UNLIMITED = 1_000_000_000;

const program = new Command('chaos-outage')
  .description('check that workers, schedules and calls continue after an outage of Redis')
  .option(
    '--seconds <list>',
    'durations of the outages, separated by commas',
    countsArgument,
    [6, 60],
  )
  .option('--ways <names>', 'kill or freeze, separated by commas', OUTAGE_KINDS.join(','))
  .option('--rows <count>', 'flights of each month', countArgument, 100_000);
const options = program.parse().opts<{ seconds: number[]; ways: string; rows: number }>();

const { folder, server, redis, close } = await openPartStage('outage');
const dataDir = path.join(folder, 'data');
const queues = openQueues(server.url);
const workers: ChildProcess[] = [];
try {
  process.exitCode = await chaos(server);
} finally {
  await Promise.all(workers.map(killAndWait));
  await queues.close();
  await close();
}

async function chaos(redisServer: RunningRedis): Promise<number> {
  const source = path.join(folder, 'source');
  await mkdir(source);
  await mkdir(dataDir);
  for (const month of MONTHS) await writeShortMonth(source, month, options.rows);
  await publishHistory(dataDir, redisServer.url);
  const settings = {
    REDIS_URL: redisServer.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    OFFLINE: '1',
  };
  const newsSchedule = { SCHEDULE_NEWS: '* * * * * *' };
  for (let at = 0; at < WORKERS; at += 1) {
    workers.push(forkApi(['worker'], { ...settings, ...newsSchedule }));
  }
  const api = await startApi({ ...settings, DATA_DIR: path.join(folder, 'api') });
  try {
    await api.untilHealthy();
    const keys = createKeystore(redis, { deadlineMs: 10_000 });
    const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
    const { apiKey } = await keys.create(owner, 'test', new Date());
    await runBackfill(queues, source);
    const startedAt = performance.now();
    await runBackfill(queues, source);
    const calmMs = performance.now() - startedAt;
    const expected = await digest(dataDir, redis);
    const random = randomFrom('outage');
    let areAllFulfilled = true;
    for (const seconds of options.seconds) {
      for (const way of OUTAGE_KINDS.filter((name) => options.ways.split(',').includes(name))) {
        const countBefore = (await keys.usage(apiKey, new Date())).monthCount;
        const callers = startCallers([api.address], apiKey);
        // The outage starts in the first half of the usual duration, so that work is still running, even if the machine
        // has become faster.
        const plan = { way, seconds, afterMs: (random.next() * calmMs) / 2 };
        const round = await causeOutage(redisServer, plan, { source, callers, expected });
        const counted = (await keys.usage(apiKey, new Date())).monthCount - countBefore;
        const lost = Math.max(0, goodCount(callers.answers) - counted);
        const isFulfilled =
          round.unexpected === 0 && lost === 0 && round.differingParts.length === 0;
        areAllFulfilled &&= isFulfilled;
        console.log(
          `${seconds} s, ${way}: ${isFulfilled ? 'kept' : 'NOT KEPT'}; ${formatRound({ ...round, lost })}`,
        );
      }
    }
    return areAllFulfilled ? 0 : 1;
  } finally {
    await api.stop();
  }
}

function formatRound({
  answersMs,
  scheduleMs,
  workMs,
  unexpected,
  lost,
  differingParts,
}: Round): string {
  return [
    `calls answered after ${inSeconds(answersMs)} s`,
    `schedules continued after ${inSeconds(scheduleMs)} s`,
    `all work done after ${inSeconds(workMs)} s`,
    `${lost} counts lost`,
    ...(unexpected > 0 ? [`${unexpected} UNEXPECTED ANSWERS`] : []),
    differingParts.length > 0
      ? `DIFFERS in ${differingParts.join(', ')}`
      : 'lake, marts and store equal those of an undisturbed run',
  ].join('; ');
}

async function causeOutage(
  { kill, restart, pause, resume }: RunningRedis,
  { way, seconds, afterMs }: { way: OutageKind; seconds: number; afterMs: number },
  { source, callers, expected }: { source: string; callers: Callers; expected: Digest },
): Promise<Round> {
  const working = runBackfill(queues, source);
  await sleep(afterMs);
  await (way === 'kill' ? kill() : pause());
  await sleep(seconds * 1_000);
  await (way === 'kill' ? restart() : resume());
  const [backAt, backTime] = [performance.now(), Date.now()];
  const sinceReturn = () => performance.now() - backAt;
  const firstAnswer = waitUntil(() =>
    callers.answers.some(({ at, status }) => at > backAt && status === 200),
  );
  const scheduled = waitUntil(
    async () => ((await readScheduleMarks(redis)).get('news')?.succeeded ?? 0) > backTime,
  );
  const [answersMs, scheduleMs, workMs] = await Promise.all(
    [firstAnswer, scheduled, working].map(async (event) => {
      await event;
      return sinceReturn();
    }),
  );
  const answers = await callers.stop();
  const differingParts = differences(expected, await digest(dataDir, redis));
  return {
    answersMs: answersMs ?? 0,
    scheduleMs: scheduleMs ?? 0,
    workMs: workMs ?? 0,
    unexpected: unexpectedCount(answers),
    lost: 0,
    differingParts,
  };
}

/** Backfills the months again, builds and publishes, as the commands do. */
async function runBackfill(targetQueues: Queues, source: string): Promise<void> {
  const line = progressLine('outage', process.stderr);
  const quiet = { ...line, show: () => undefined };
  const followJob = (ref: JobRef) =>
    follow(ref, { queues: targetQueues, line: quiet, signal: new AbortController().signal });
  const request = {
    months: MONTHS,
    source: { kind: 'folder' as const, path: source },
    force: true,
  };
  const { parent } = await requestBackfill(
    targetQueues,
    request,
    path.join(folder, 'backfill.lock'),
  );
  await followJob(parent);
  await followJob(await requestStep(targetQueues, 'build-features'));
  await followJob(await requestStep(targetQueues, 'publish'));
}

async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > end) {
      throw new Error(
        `work did not continue within ${TIMEOUT_MS / 1_000} s of the return of Redis`,
      );
    }
    await sleep(50);
  }
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
