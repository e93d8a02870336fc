import { failingChecks } from '../../../pipelines/features/build.ts';
import type { IncidentKind } from '../../../warehouse/live/incidents.ts';
import type { Status } from './types.ts';

/** How things are, for whoever watches by exit code: 0 well, 1 failing, 2 only stale. */
export type Verdict = { code: 0 | 1 | 2; why: string[] };

/** Incidents that fail; the others are found by looking, or only stale. */
const FAILING = new Set<IncidentKind>(['job.failed', 'month.refused', 'lakes.differ']);

/** What is failing or, where nothing is, stale. */
export function verdictOf({ build, store, months, redis, stale, disk, lake }: Status): Verdict {
  const failing = failingChecks(build?.checks ?? []).map(({ check }) => `check ${check} fails`);
  const damaged = months.filter(({ state }) => state === 'damaged').map(({ month }) => month);
  const open = redis.state === 'away' ? [] : (redis.incidents ?? []);
  const problems = [
    ...failing,
    ...(build?.outcome === 'failed' ? ['the last build failed'] : []),
    ...(store.problem === undefined ? [] : [`the store cannot be used: ${store.problem}`]),
    ...damaged.map((month) => `${month} is damaged in the lake`),
    ...open.filter(({ kind }) => FAILING.has(kind)).map(({ text }) => text),
    ...(disk && disk.freeBytes < disk.minFreeBytes
      ? ['too little room on the disk: workers take no jobs that write files']
      : []),
    ...(lake?.problem === undefined ? [] : [`the lake cannot be asked: ${lake.problem}`]),
    ...(redis.state === 'away' ? [`Redis is away: ${redis.error}`] : []),
  ];
  if (problems.length > 0) return { code: 1, why: problems };
  return stale.length > 0 ? { code: 2, why: stale } : { code: 0, why: [] };
}
