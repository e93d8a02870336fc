/**
 * `make chaos PART=outage SECONDS=6,60,600`: Redis is away that long, killed or frozen, while two workers do a back-fill
 * and an API answers.
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
import { scheduleMarks } from '../../jobs/queue/schedule-marks.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import { forkApi, startApi } from '../stage/api-process.ts';
import type { RunningRedis } from '../stage/redis-process.ts';
import { randomFrom } from '../generate/random.ts';
import { writeShortMonth } from '../short-months.ts';
import { publishHistory } from '../trial-service.ts';
import { goodCount, inSeconds, oddCount, startCallers, type Callers } from './callers.ts';
import { countArgument, countsArgument } from './options.ts';
import { openOwnStage } from './own-stage.ts';
import { differences, digest, type Digest } from './state.ts';

type Way = 'kill' | 'freeze';

type Round = {
  /** From Redis being back to the first good answer, to the next good end of a schedule, and to that of all work. */
  answersMs: number;
  scheduleMs: number;
  workMs: number;
  /** Answers of the API other than 200 and 503. */
  odd: number;
  /** Good answers that Redis does not count. */
  lost: number;
  differing: string[];
};

const MONTHS = ['2025-01', '2025-02', '2025-03'];
const WORKERS = 2;
const WAYS: readonly Way[] = ['kill', 'freeze'];
const PATIENCE_MS = 120_000;
const UNLIMITED = 1_000_000_000;

const program = new Command('chaos-outage')
  .description('see that workers, schedules and calls go on after Redis was away')
  .option('--seconds <list>', 'how long it is away, with commas', countsArgument, [6, 60])
  .option('--ways <names>', 'some of kill and freeze, with commas', WAYS.join(','))
  .option('--rows <count>', 'flights of each month', countArgument, 100_000);
const options = program.parse().opts<{ seconds: number[]; ways: string; rows: number }>();

const { folder, server, redis, close } = await openOwnStage('outage');
const dataDir = path.join(folder, 'data');
const queues = openQueues(server.url);
const workers: ChildProcess[] = [];
try {
  process.exitCode = await chaos(server);
} finally {
  await Promise.all(workers.map(ended));
  await queues.close();
  await close();
}

async function chaos(own: RunningRedis): Promise<number> {
  const source = path.join(folder, 'source');
  await mkdir(source);
  await mkdir(dataDir);
  for (const month of MONTHS) await writeShortMonth(source, month, options.rows);
  await publishHistory(dataDir, own.url);
  const settings = { REDIS_URL: own.url, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', OFFLINE: '1' };
  const often = { SCHEDULE_NEWS: '* * * * * *' };
  for (let at = 0; at < WORKERS; at += 1) {
    workers.push(forkApi(['worker'], { ...settings, ...often }));
  }
  const api = await startApi({ ...settings, DATA_DIR: path.join(folder, 'api') });
  try {
    await api.untilHealthy();
    const keys = createKeystore(redis, { deadlineMs: 10_000 });
    const owner = { name: 'chaos', email: 'chaos@headwind.example', monthlyLimit: UNLIMITED };
    const { apiKey } = await keys.create(owner, 'test', new Date());
    await backfilled(queues, source);
    const startedAt = performance.now();
    await backfilled(queues, source);
    const calmMs = performance.now() - startedAt;
    const expected = await digest(dataDir, redis);
    const random = randomFrom('outage');
    let isAllHeld = true;
    for (const seconds of options.seconds) {
      for (const way of WAYS.filter((one) => options.ways.split(',').includes(one))) {
        const countBefore = (await keys.usage(apiKey, new Date())).monthCount;
        const callers = startCallers([api.address], apiKey);
        // In the first half: work is under way on a machine that has become quicker, too.
        const strike = { way, seconds, afterMs: (random.next() * calmMs) / 2 };
        const round = await outage(own, strike, { source, callers, expected });
        const counted = (await keys.usage(apiKey, new Date())).monthCount - countBefore;
        const lost = Math.max(0, goodCount(callers.answers) - counted);
        const isHeld = round.odd === 0 && lost === 0 && round.differing.length === 0;
        isAllHeld &&= isHeld;
        console.log(
          `${seconds} s, ${way}: ${isHeld ? 'held' : 'NOT HELD'}; ${told({ ...round, lost })}`,
        );
      }
    }
    return isAllHeld ? 0 : 1;
  } finally {
    await api.stop();
  }
}

function told({ answersMs, scheduleMs, workMs, odd, lost, differing }: Round): string {
  return [
    `calls answered after ${inSeconds(answersMs)} s`,
    `schedules went on after ${inSeconds(scheduleMs)} s`,
    `all work was done after ${inSeconds(workMs)} s`,
    `${lost} counts lost`,
    ...(odd > 0 ? [`${odd} ODD ANSWERS`] : []),
    differing.length > 0
      ? `DIFFERS in ${differing.join(', ')}`
      : 'lake, marts and store as of a calm run',
  ].join('; ');
}

async function outage(
  { kill, restart, pause, resume }: RunningRedis,
  { way, seconds, afterMs }: { way: Way; seconds: number; afterMs: number },
  { source, callers, expected }: { source: string; callers: Callers; expected: Digest },
): Promise<Round> {
  const working = backfilled(queues, source);
  await sleep(afterMs);
  await (way === 'kill' ? kill() : pause());
  await sleep(seconds * 1_000);
  await (way === 'kill' ? restart() : resume());
  const [backAt, backTime] = [performance.now(), Date.now()];
  const since = () => performance.now() - backAt;
  const answered = until(() =>
    callers.answers.some(({ at, status }) => at > backAt && status === 200),
  );
  const scheduled = until(
    async () => ((await scheduleMarks(redis)).get('news')?.succeeded ?? 0) > backTime,
  );
  const [answersMs, scheduleMs, workMs] = await Promise.all(
    [answered, scheduled, working].map(async (one) => {
      await one;
      return since();
    }),
  );
  const answers = await callers.stop();
  const differing = differences(expected, await digest(dataDir, redis));
  return {
    answersMs: answersMs ?? 0,
    scheduleMs: scheduleMs ?? 0,
    workMs: workMs ?? 0,
    odd: oddCount(answers),
    lost: 0,
    differing,
  };
}

/** Back-fills the months anew, builds and publishes, as the commands do it. */
async function backfilled(asked: Queues, source: string): Promise<void> {
  const line = progressLine('outage', process.stderr);
  const quiet = { ...line, show: () => undefined };
  const followed = (ref: JobRef) =>
    follow(ref, { queues: asked, line: quiet, signal: new AbortController().signal });
  const request = {
    months: MONTHS,
    source: { kind: 'folder' as const, path: source },
    force: true,
  };
  const { parent } = await requestBackfill(asked, request, path.join(folder, 'backfill.lock'));
  await followed(parent);
  await followed(await requestStep(asked, 'build-features'));
  await followed(await requestStep(asked, 'publish'));
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not go on after Redis was back');
    await sleep(50);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
