import { failingChecks } from '../../../pipelines/features/build.ts';
import type { IncidentKind } from '../../../warehouse/live/incident-records.ts';
import { formatShortage } from '../../processes/disk-space.ts';
import type { Status } from './types.ts';

/** Verdict on the service; `code` is the exit code: 0 well, 1 failing, 2 stale, or soon stale. */
export type Verdict = { code: 0 | 1 | 2; why: string[] };

/** Kinds of incidents that count as failures. Other kinds repeat a check of `verdictOf` or report stale data. */
const FAILING = new Set<IncidentKind>([
  'job.failed',
  'backfill.failed',
  'month.refused',
  'lakes.differ',
  'keys.broken',
  'keys.lost',
  'model.failed',
]);

/** Returns all failures or, if nothing fails, everything that is stale. */
export function verdictOf(status: Status): Verdict {
  const { build, months, redis, disk, lake } = status;
  const failing = failingChecks(build?.checks ?? []).map(({ check }) => `check ${check} fails`);
  const damaged = months.filter(({ state }) => state === 'damaged').map(({ month }) => month);
  const open = redis.state === 'away' ? [] : (redis.incidents ?? []);
  const problems = [
    ...failing,
    ...(build?.outcome === 'failed' ? ['the last build failed'] : []),
    ...storeProblem(status),
    ...damaged.map((month) => `${month} is damaged in the lake`),
    ...open.filter(({ kind }) => FAILING.has(kind)).map(({ text }) => text),
    ...(disk && disk.freeBytes < disk.minFreeBytes
      ? [`${formatShortage(disk)}: workers start no jobs that write files`]
      : []),
    ...(lake?.problem === undefined ? [] : [`the lake is unavailable: ${lake.problem}`]),
    ...(redis.state === 'away' ? [`Redis is unreachable: ${redis.error}`] : []),
  ];
  if (problems.length > 0) return { code: 1, why: problems };
  const stale = [...status.stale, ...missingWorker(status)];
  return stale.length > 0 ? { code: 2, why: stale } : { code: 0, why: [] };
}

/** If this machine has no store because another machine published the store, returns the served version. */
export function servedFromElsewhere({
  store,
  redis,
}: Pick<Status, 'store' | 'redis'>): string | undefined {
  return redis.state === 'up' && store.version === undefined ? redis.storeVersion : undefined;
}

function storeProblem({ store, redis, months, levels }: Status): string[] {
  if (store.problem !== undefined) return [`the store cannot be used: ${store.problem}`];
  if (store.version !== undefined || servedFromElsewhere({ store, redis }) !== undefined) return [];
  return months.length === 0 && levels.months === 0
    ? ['there are no months and no store yet: make run, or make ingest FILE=path PUBLISH=1']
    : ['nothing is published yet: make features publish'];
}

/** Returns a message if a queue has no worker. The summary that a worker writes lists no queues. */
function missingWorker({ redis }: Status): string[] {
  if (redis.state === 'away' || redis.queues.every(({ workers }) => workers > 0)) return [];
  return [
    'no worker is connected, so no jobs or schedules run. Start one with make run or make worker',
  ];
}
