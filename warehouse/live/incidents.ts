import type { Redis } from 'ioredis';
import {
  changeRecord,
  readRecords,
  type Incident,
  type IncidentKind,
  type NewsKind,
} from './incident-records.ts';

type Changing = Pick<Redis, 'hget' | 'eval'>;

/** Notes an incident, unless it is open already. One that comes again before it was said to be over goes on. */
export async function openIncident(redis: Changing, incident: Incident): Promise<void> {
  await changeRecord(redis, incident.key, (record) =>
    record && record.endedAt === undefined
      ? record
      : { ...incident, deliveries: record?.deliveries ?? {} },
  );
}

/** Ends an incident; it is kept as long as somebody may know of it who does not know that it is over. */
export async function closeIncident(redis: Changing, key: string, at: Date): Promise<void> {
  await changeRecord(redis, key, (record) => {
    if (record === undefined || record.endedAt !== undefined) return record;
    const isKnown = Object.keys(record.deliveries).length > 0;
    return isKnown ? { ...record, endedAt: at.toISOString() } : undefined;
  });
}

/** Notes what became of a training. */
export async function noteNews(
  redis: Changing,
  { kind, text, job }: { kind: NewsKind; text: string; job: string },
  at: Date,
): Promise<void> {
  const since = at.toISOString();
  const key = `${kind} ${since}`;
  const news = { key, kind, text, job, since, endedAt: since, deliveries: {} };
  await changeRecord(redis, key, (record) => record ?? news);
}

/** The incidents that are open, the oldest first. */
export async function readIncidents(redis: Pick<Redis, 'hvals'>): Promise<Incident[]> {
  return (await readRecords(redis))
    .filter(({ endedAt }) => endedAt === undefined)
    .map(({ key, kind, text, since }) => ({ key, kind: kind as IncidentKind, text, since }))
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
  redis: Changing & Pick<Redis, 'hvals'>,
  knownAt: string,
): Promise<Incident[]> {
  const taken: Incident[] = [];
  const known = (await readIncidents(redis)).filter(({ since }) => since <= knownAt);
  for (const incident of known.filter(isAcknowledgeable)) {
    const isTaken = await changeRecord(redis, incident.key, (record) =>
      record?.since === incident.since && record.endedAt === undefined ? undefined : record,
    );
    if (isTaken) taken.push(incident);
  }
  return taken;
}
