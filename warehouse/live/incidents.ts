import type { Redis } from 'ioredis';
import {
  changeRecord,
  readRecords,
  type Incident,
  type IncidentKind,
  type NewsKind,
} from './incident-records.ts';

type RecordClient = Pick<Redis, 'hget' | 'eval'>;

/**
 * Opens an incident, unless the incident is already open. An incident that recurs before its end was notified is
 * reopened without a new notice. Returns whether anything changed.
 */
export async function openIncident(redis: RecordClient, incident: Incident): Promise<boolean> {
  return changeRecord(redis, incident.key, (record) =>
    record && record.endedAt === undefined
      ? record
      : { ...incident, deliveries: record?.deliveries ?? {} },
  );
}

/**
 * Ends an incident. The incident's record stays until every notified address has been notified of the end. Returns
 * whether anything changed.
 */
export async function closeIncident(redis: RecordClient, key: string, at: Date): Promise<boolean> {
  return changeRecord(redis, key, (record) => {
    if (record === undefined || record.endedAt !== undefined) return record;
    const wasNotified = Object.keys(record.deliveries).length > 0;
    return wasNotified ? { ...record, endedAt: at.toISOString() } : undefined;
  });
}

/**
 * Removes months, such as `flights 2025-03`, from the incidents of failed backfills. An incident without months ends.
 * Returns whether anything changed.
 */
export async function removeMonthsOfIncidents(
  redis: RecordClient & Pick<Redis, 'hvals'>,
  months: readonly string[],
  at: Date,
): Promise<boolean> {
  let isChanged = false;
  for (const { key } of (await readRecords(redis)).filter((record) => record.months)) {
    const hasChanged = await changeRecord(redis, key, (record) => {
      if (!record?.months?.some((month) => months.includes(month))) return record;
      const rest = record.months.filter((month) => !months.includes(month));
      return { ...record, months: rest };
    });
    if (!hasChanged) continue;
    isChanged = true;
    const record = (await readRecords(redis)).find((other) => other.key === key);
    if (record?.months?.length === 0) await closeIncident(redis, key, at);
  }
  return isChanged;
}

/** Records the result of a training. */
export async function recordNews(
  redis: RecordClient,
  { kind, text, job }: { kind: NewsKind; text: string; job: string },
  at: Date,
): Promise<void> {
  const since = at.toISOString();
  const key = `${kind} ${since}`;
  const news = { key, kind, text, job, since, endedAt: since, deliveries: {} };
  await changeRecord(redis, key, (record) => record ?? news);
}

/** Reads the open incidents, oldest first. */
export async function readIncidents(redis: Pick<Redis, 'hvals'>): Promise<Incident[]> {
  return (await readRecords(redis))
    .filter(({ endedAt }) => endedAt === undefined)
    .map(({ key, kind, text, since }) => ({ key, kind: kind as IncidentKind, text, since }))
    .toSorted((a, b) => a.since.localeCompare(b.since));
}

/**
 * Kinds of incidents that an operator can acknowledge. An incident of any other kind ends when the next check finds the
 * problem fixed.
 */
const ACKNOWLEDGEABLE = new Set<IncidentKind>(['job.failed', 'backfill.failed', 'month.refused']);

/** Whether the incident can be acknowledged: a failed job or backfill, or a refused month. */
export function isAcknowledgeable({ kind }: Incident): boolean {
  return ACKNOWLEDGEABLE.has(kind);
}

/**
 * Removes the incidents of failed jobs and backfills and of refused months, and returns the removed incidents. If a removed incident
 * recurs, it is notified again. Keeps incidents later than `pageAt` (ISO), which is the time of the page that the
 * operator saw.
 */
export async function acknowledgeIncidents(
  redis: RecordClient & Pick<Redis, 'hvals'>,
  pageAt: string,
): Promise<Incident[]> {
  const removed: Incident[] = [];
  const visible = (await readIncidents(redis)).filter(({ since }) => since <= pageAt);
  for (const incident of visible.filter(isAcknowledgeable)) {
    const isRemoved = await changeRecord(redis, incident.key, (record) =>
      record?.since === incident.since && record.endedAt === undefined ? undefined : record,
    );
    if (isRemoved) removed.push(incident);
  }
  return removed;
}
