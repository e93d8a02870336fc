import type { Redis } from 'ioredis';

/** Something that is not well, from when it was seen until it is well again. */
export type Incident = {
  /** What it is about, once: `job look-for-months`, `checks`, `refused 2025-03`, `refused 2025-03 of the delay-cause table`. */
  key: string;
  /** For machines: `job.failed`, `checks.failed`, `month.refused`, `data.stale`, `forecasts.stale`, `lakes.differ` or `keys.broken`. */
  kind: IncidentKind;
  /** For people. */
  text: string;
  /** ISO, UTC. */
  since: string;
};

export type IncidentKind =
  | 'job.failed'
  | 'checks.failed'
  | 'month.refused'
  | 'data.stale'
  | 'forecasts.stale'
  | 'lakes.differ'
  | 'keys.broken';

const INCIDENTS_KEY = 'hw:incidents';

/** Notes an incident; false when it is known already. */
export async function openIncident(
  redis: Pick<Redis, 'hsetnx'>,
  incident: Incident,
): Promise<boolean> {
  return (await redis.hsetnx(INCIDENTS_KEY, incident.key, JSON.stringify(incident))) === 1;
}

/** Ends an incident and returns it; undefined when there is none, or another process was first. */
export async function closeIncident(
  redis: Pick<Redis, 'hget' | 'hdel'>,
  key: string,
): Promise<Incident | undefined> {
  const text = await redis.hget(INCIDENTS_KEY, key);
  if (text === null || (await redis.hdel(INCIDENTS_KEY, key)) === 0) return undefined;
  return JSON.parse(text) as Incident;
}

/** The incidents that are open, the oldest first. */
export async function readIncidents(redis: Pick<Redis, 'hvals'>): Promise<Incident[]> {
  const texts = await redis.hvals(INCIDENTS_KEY);
  return texts
    .map((text) => JSON.parse(text) as Incident)
    .toSorted((a, b) => a.since.localeCompare(b.since));
}

/** What is over for whoever knows of it; the others end, and are told again, by what is looked at. */
const ACKNOWLEDGED = new Set<IncidentKind>(['job.failed', 'month.refused']);

/** Whether it may be acknowledged: it is a failed job or a refused month. */
export function isAcknowledgeable({ kind }: Incident): boolean {
  return ACKNOWLEDGED.has(kind);
}

/**
 * Takes off failed jobs and refused months, and returns them; each that comes again is told again. What came after `knownAt` (ISO),
 * the moment of what somebody saw, stays.
 */
export async function acknowledgeIncidents(
  redis: Pick<Redis, 'hvals' | 'hget' | 'hdel'>,
  knownAt: string,
): Promise<Incident[]> {
  const taken: Incident[] = [];
  const known = (await readIncidents(redis)).filter(({ since }) => since <= knownAt);
  for (const { key } of known.filter(isAcknowledgeable)) {
    const incident = await closeIncident(redis, key);
    if (incident) taken.push(incident);
  }
  return taken;
}
