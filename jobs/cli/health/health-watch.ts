import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Keyring } from '../../../warehouse/keyring/keyring.ts';
import { API_SILENT_MS, forgetMissingSince } from '../../../warehouse/live/api-reports.ts';
import {
  conditionOf,
  type ConditionName,
  type Problem,
} from '../../../warehouse/live/conditions.ts';
import {
  machineName,
  readMachineReports,
  removeMachineReport,
  type MachineReport,
  writeHealthSummary,
  writeMachineReport,
} from '../../../warehouse/live/health-reports.ts';
import { saveNextRefresh } from '../../../warehouse/live/next-refresh.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { JobsConfig } from '../../config.ts';
import { readDiskSpace } from '../../processes/disk-space.ts';
import type { Queues } from '../../queue/queues.ts';
import type { Schedule } from '../../queue/schedules.ts';
import type { createDirectNotices } from '../../watch/direct-notices.ts';
import type { JobWatch } from '../../watch/incidents-of-jobs.ts';
import { collectStatus, freshnessRuleOf } from '../status/collect.ts';
import { writeSummary } from '../status/ops-summary.ts';
import { readLiveStatus } from '../status/redis.ts';
import type { RedisStatus, Status } from '../status/types.ts';
import { verdictOf } from '../status/verdict.ts';
import { repeatWork } from './repeat-work.ts';
import { findProblems } from './problems.ts';

type HealthConfig = Pick<
  JobsConfig,
  'dataDir' | 'minFreeBytes' | 'staleAfterDays' | 'offline' | 'schedule' | 'userSqlDir'
>;

export type HealthWatchDeps = {
  config: HealthConfig;
  redis: Redis;
  queues: Pick<Queues, 'queue'>;
  schedules: readonly Schedule[];
  keyring: Pick<Keyring, 'compare' | 'archive'>;
  /** Id of the lake, equal for all workers of one lake. */
  lake: string;
  /** Whether this worker registers schedules. */
  isService: boolean;
  /** Checks the shared lake; absent for a local lake. */
  checkLake?: (() => Promise<Status['lake']>) | undefined;
  watch: Pick<JobWatch, 'judged'>;
  notices: Pick<ReturnType<typeof createDirectNotices>, 'report'>;
  log: Pick<Logger, 'warn'>;
  now?: () => Date;
};

/** Judges the health of the service and reports the result. */
export type HealthWatch = {
  /** Judges now. */
  judge: () => Promise<void>;
  /** Requests that the health is judged soon, because something has changed. */
  changed: () => void;
  /** The conditions at the last judgement; undefined before the first one. */
  conditions: () => ReadonlySet<ConditionName> | undefined;
  close: () => Promise<void>;
};

/**
 * Time between two judgements. A problem is then visible within a minute. The minute includes the time for the
 * judgement and for a scrape by Prometheus.
 */
const MAX_WAIT_MS = 20_000;
/** Deadline of commands to Redis, which otherwise wait as long as Redis is unreachable. */
const REDIS_DEADLINE_MS = 10_000;

/** Judges the health now, soon after each change and every 20 s, until `close`. */
export function openHealthWatch(deps: HealthWatchDeps): HealthWatch {
  let conditions: ReadonlySet<ConditionName> | undefined;
  const worker = randomUUID();
  const archiveNew = createArchiver(deps);
  let redisFailedAt: Date | undefined;
  let isStarting = deps.isService;
  const judge = async () => {
    // The judgement below uses the same connection, so Redis runs this command before it.
    if (isStarting) void forgetMissingSince(deps.redis).catch(() => undefined);
    isStarting = false;
    const judgement = await judgeHealth(deps, { worker, redisFailedAt });
    conditions = judgement.conditions;
    const isRedisFailing = [...conditions].some((kind) => kind.startsWith('redis.'));
    if (isRedisFailing) redisFailedAt = judgement.at;
    await archiveNew(judgement.status.redis);
  };
  const work = repeatWork(judge, {
    maxWaitMs: MAX_WAIT_MS,
    onError: (err) => deps.log.warn({ err }, 'health not judged'),
  });
  return {
    judge: work.runNow,
    changed: work.changed,
    conditions: () => conditions,
    close: async () => {
      await work.close();
      await removeMachineReport(deps.redis, worker).catch(() => undefined);
    },
  };
}

/** Judges once, and reports the result as the report of this worker. Returns the current conditions and the status. */
async function judgeHealth(
  deps: HealthWatchDeps,
  { worker, redisFailedAt }: { worker: string; redisFailedAt: Date | undefined },
): Promise<{ conditions: ReadonlySet<ConditionName>; status: Status; at: Date }> {
  const { config, redis, lake, isService, watch, notices, now = () => new Date() } = deps;
  const at = now();
  const machine = machineName(config.dataDir);
  const own = { machine, lake, isService, at: at.toISOString(), problems: [] };
  const live = withReport(ignoreOldReports(await readRedis(deps, at), redisFailedAt, at), own);
  const status = await collectMachineStatus(deps, live, at);
  // Ignores `worker.missing`: this worker is connected or will be soon.
  const problems = findProblems(status).filter(({ kind }) => kind !== 'worker.missing');
  const ofRedis = problems.filter(({ kind }) => kind.startsWith('redis.'));
  notices.report(ofRedis);
  if (ofRedis.length === 0) {
    const report = { machine, lake, isService, at: at.toISOString(), problems };
    await writeMachineReport(redis, worker, report);
    const all = uniteProblems(problems, await readMachineReports(redis, at));
    watch.judged(all.filter(({ kind }) => !conditionOf(kind).isSilent));
    const { dataDir, userSqlDir } = config;
    await writeSummary(redis, status, { ...dataPaths(dataDir), userSqlDir });
  }
  const verdict = verdictOf(status);
  const conditions = new Set(verdict.problems.map(({ kind }) => kind));
  if (ofRedis.length === 0) {
    if (status.redis.state === 'up') await saveNextRefresh(redis, status.redis.schedules);
    await writeHealthSummary(redis, { at: at.toISOString(), conditions: [...conditions] });
  }
  return { conditions, status, at };
}

/** After a failure of Redis, ignores missing reports of APIs until the APIs have had time to report again. */
function ignoreOldReports(
  redis: RedisStatus,
  redisFailedAt: Date | undefined,
  now: Date,
): RedisStatus {
  const isRecent = redisFailedAt && now.getTime() - redisFailedAt.getTime() < API_SILENT_MS;
  if (redis.state === 'away' || !isRecent) return redis;
  const { apis: _, noApiSince: _since, ...others } = redis;
  return others;
}

/** Adds the report of this worker, because Redis lacks this report before the first judgement. */
function withReport(redis: RedisStatus, own: MachineReport): RedisStatus {
  if (redis.state === 'away') return redis;
  const { machines = [] } = redis;
  const others = machines.filter(({ machine }) => machine !== own.machine);
  const before = machines.find(({ machine }) => machine === own.machine);
  const isService = own.isService || before?.isService === true;
  return { ...redis, machines: [...others, { ...(before ?? own), isService }] };
}

/**
 * Returns a function that archives new keys soon after their creation. The schedule archives only every five minutes.
 * If Redis lost a new key before the next archive, nobody would notice. Keys that cannot be archived are tried again
 * only when their number changes. The scheduled job reports such keys.
 */
function createArchiver({ keyring, log }: Pick<HealthWatchDeps, 'keyring' | 'log'>) {
  let lastCount = 0;
  return async (redis: RedisStatus) => {
    if (redis.state === 'away' || redis.unarchivedKeys === undefined) return;
    const isChanged = redis.unarchivedKeys !== lastCount;
    lastCount = redis.unarchivedKeys;
    if (lastCount === 0 || !isChanged) return;
    await keyring.archive().catch((err: unknown) => log.warn({ err }, 'new keys not archived'));
  };
}

/** Returns the problems of this machine and of other machines, one per problem key. */
function uniteProblems(
  own: readonly Problem[],
  reports: readonly { problems: Problem[] }[],
): Problem[] {
  const all = [...own, ...reports.flatMap(({ problems }) => problems)];
  return [...new Map(all.toReversed().map((problem) => [problem.key, problem])).values()];
}

async function readRedis(
  { redis, queues, schedules, keyring }: HealthWatchDeps,
  now: Date,
): Promise<RedisStatus> {
  const { promise, resolve } = Promise.withResolvers<RedisStatus>();
  const toAway = (error: string): RedisStatus => ({ state: 'away', error });
  const timer = setTimeout(
    () => resolve(toAway(`no answer in ${REDIS_DEADLINE_MS / 1_000} s`)),
    REDIS_DEADLINE_MS,
  );
  const reading = readLiveStatus({ redis, queues, schedules, keyring, now }).catch(
    (error: unknown) => toAway(error instanceof Error ? error.message : String(error)),
  );
  try {
    return await Promise.race([reading, promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function collectMachineStatus(
  { config, checkLake }: HealthWatchDeps,
  redis: RedisStatus,
  now: Date,
): Promise<Status> {
  const { dataDir, minFreeBytes } = config;
  const rules = { machine: machineName(dataDir), freshnessRule: freshnessRuleOf(config) };
  const disk = await readDiskSpace(dataDir);
  const lake = await checkLake?.();
  return {
    ...(await collectStatus(dataPaths(dataDir), redis, now, rules)),
    ...(lake && { lake }),
    ...(disk && { disk: { ...disk, minFreeBytes } }),
  };
}
