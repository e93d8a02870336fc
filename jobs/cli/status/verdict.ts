import { failingChecks } from '../../../pipelines/features/build.ts';
import type { IncidentKind } from '../../../warehouse/live/incident-records.ts';
import { shortText } from '../../processes/disk-room.ts';
import type { Status } from './types.ts';

/** How things are, for whoever watches by exit code: 0 well, 1 failing, 2 only stale, or about to be. */
export type Verdict = { code: 0 | 1 | 2; why: string[] };

/** Incidents that fail; the others are found by looking, or only stale. */
const FAILING = new Set<IncidentKind>([
  'job.failed',
  'month.refused',
  'lakes.differ',
  'keys.broken',
]);

/** What is failing or, where nothing is, stale. */
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
      ? [`${shortText(disk)}: workers take no jobs that write files`]
      : []),
    ...(lake?.problem === undefined ? [] : [`the lake cannot be asked: ${lake.problem}`]),
    ...(redis.state === 'away' ? [`Redis is away: ${redis.error}`] : []),
  ];
  if (problems.length > 0) return { code: 1, why: problems };
  const stale = [...status.stale, ...nobodyAtWork(status)];
  return stale.length > 0 ? { code: 2, why: stale } : { code: 0, why: [] };
}

/** The version that is served and not on this machine: another one published it. */
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

/** What is asked by a worker of itself says nothing of workers. */
function nobodyAtWork({ redis }: Status): string[] {
  if (redis.state === 'away' || redis.queues.every(({ workers }) => workers > 0)) return [];
  return ['no worker is connected, so nothing comes by itself: make run, or make worker'];
}
