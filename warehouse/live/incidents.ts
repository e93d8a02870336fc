import type { Redis } from 'ioredis';
import { CONDITIONS, conditionOf, type ConditionName, type Problem } from './conditions.ts';
import { changeRecord, readRecords, type Incident, type NewsKind } from './incident-records.ts';

type RecordClient = Pick<Redis, 'hget' | 'eval'>;

/**
 * Opens an incident, unless it is already open. If the incident has ended, but an address was not notified of the end
 * yet, reopens it without a new notice to this address. If an open incident has another fingerprint, treats the problem
 * as a new incident. Returns whether anything changed.
 */
export async function openIncident(redis: RecordClient, incident: Incident): Promise<boolean> {
  return changeRecord(redis, incident.key, (record) => {
    if (!record || record.endedAt !== undefined) {
      return { ...incident, deliveries: record?.deliveries ?? {} };
    }
    if (record.fingerprint !== incident.fingerprint) return { ...incident, deliveries: {} };
    const isSame = record.text === incident.text || record.isAcknowledged === true;
    if (isSame) return record;
    return { ...record, text: incident.text, ...(incident.months && { months: incident.months }) };
  });
}

/**
 * Opens an incident for each problem. Also ends incidents whose problem is no longer in the list. Only incidents of
 * conditions checked by workers are ended in this way. Returns whether anything changed.
 */
export async function applyProblems(
  redis: RecordClient & Pick<Redis, 'hvals'>,
  problems: readonly Problem[],
  at: Date,
): Promise<boolean> {
  let isChanged = false;
  for (const problem of problems) {
    if (await recordProblem(redis, problem, at)) isChanged = true;
  }
  const keys = new Set(problems.map(({ key }) => key));
  for (const { key, kind, endedAt } of await readRecords(redis)) {
    if (endedAt !== undefined || keys.has(key) || !isJudged(kind)) continue;
    if (await closeIncident(redis, key, at)) isChanged = true;
  }
  return isChanged;
}

/** Opens an incident for a problem. Returns whether anything changed. */
export async function recordProblem(
  redis: RecordClient,
  { key, kind, text, fingerprint }: Problem,
  at: Date,
): Promise<boolean> {
  const incident = { key, kind, text, since: at.toISOString() };
  return openIncident(redis, { ...incident, ...(fingerprint !== undefined && { fingerprint }) });
}

/** Whether workers check the condition regularly. If so, the incident ends when they no longer find the problem. */
function isJudged(kind: ConditionName | NewsKind): boolean {
  return kind in CONDITIONS && conditionOf(kind as ConditionName).source === 'state';
}

/**
 * Ends an incident. Its record remains as long as an address was notified of the beginning but not yet of the end.
 * Returns whether anything changed.
 */
export async function closeIncident(redis: RecordClient, key: string, at: Date): Promise<boolean> {
  return changeRecord(redis, key, (record) => {
    if (record === undefined || record.endedAt !== undefined) return record;
    // The end of an acknowledged incident causes no notice.
    if (record.isAcknowledged) return undefined;
    const wasNotified = Object.keys(record.deliveries).length > 0;
    return wasNotified ? { ...record, endedAt: at.toISOString() } : undefined;
  });
}

/**
 * Removes months, such as `flights 2025-03`, from the incidents of failed backfills. An incident that has no months
 * left ends. Returns whether an incident changed.
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

/** Reads the open incidents that nobody acknowledged, oldest first. */
export async function readIncidents(redis: Pick<Redis, 'hvals'>): Promise<Incident[]> {
  return (await readRecords(redis))
    .filter(({ endedAt, isAcknowledged }) => endedAt === undefined && !isAcknowledged)
    .map(({ key, kind, text, since }) => ({ key, kind: kind as ConditionName, text, since }))
    .toSorted((a, b) => a.since.localeCompare(b.since));
}

/** Reads the acknowledged problems that have not ended. */
export async function readAcknowledged(
  redis: Pick<Redis, 'hvals'>,
): Promise<{ key: string; fingerprint: string }[]> {
  return (await readRecords(redis)).flatMap(({ key, fingerprint, isAcknowledged }) =>
    isAcknowledged === true && fingerprint !== undefined ? { key, fingerprint } : [],
  );
}

/**
 * Whether an operator can acknowledge the incident. This is true of failed jobs and backfills, refused months and
 * warnings. Any other incident ends when workers find its problem fixed.
 */
export function isAcknowledgeable({ kind }: Pick<Incident, 'kind'>): boolean {
  return conditionOf(kind).isAcknowledgeable === true;
}

/**
 * Acknowledges incidents and returns them. Removes incidents of failed jobs, failed backfills and refused months. If
 * such a problem occurs again, operators are notified again. Hides warnings until they change. `pageAt` is the time
 * (ISO) of the page that the operator saw. Incidents that began later remain.
 */
export async function acknowledgeIncidents(
  redis: RecordClient & Pick<Redis, 'hvals'>,
  pageAt: string,
): Promise<Incident[]> {
  const removed: Incident[] = [];
  const visible = (await readIncidents(redis)).filter(({ since }) => since <= pageAt);
  for (const incident of visible.filter(isAcknowledgeable)) {
    const isRemoved = await changeRecord(redis, incident.key, (record) => {
      if (record?.since !== incident.since || record.endedAt !== undefined) return record;
      return record.fingerprint === undefined ? undefined : { ...record, isAcknowledged: true };
    });
    if (isRemoved) removed.push(incident);
  }
  return removed;
}
