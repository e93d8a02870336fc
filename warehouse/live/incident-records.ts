import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/** Something that is not well, from when it was seen until it is well again. */
export type Incident = {
  /** What it is about, once: `job look-for-months`, `checks`, `refused 2025-03`, `refused 2025-03 of the delay-cause table`. */
  key: string;
  /** For machines. */
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

/** What became of a training; it is never over. */
export type NewsKind = 'model.released' | 'model.refused';

/**
 * How far a notice is with an address: it took that of the beginning, or a process may be at sending one until then (ms since
 * 1970; past: nobody is, and whether it came is not known).
 */
export type Delivery = 'taken' | number;

/** What is kept of an incident or of news: it stays until every address that may know of it knows that it is over. */
export type IncidentRecord = Omit<Incident, 'kind'> & {
  kind: IncidentKind | NewsKind;
  /** When it was over, of news when it came (ISO); absent while an incident is open. */
  endedAt?: string;
  /** Of news: the job that brought it. */
  job?: string;
  /** By address, as a hash of it. An address that is missing knows nothing. */
  deliveries: Record<string, Delivery>;
};

type Change = (record: IncidentRecord | undefined) => IncidentRecord | undefined;

/** Hash: key of the incident to its record as JSON. */
const INCIDENTS_KEY = 'hw:incidents';
const SWAP = readFileSync(new URL('swap.lua', import.meta.url), 'utf8');

/** All records; one that is none is left out. */
export async function readRecords(redis: Pick<Redis, 'hvals'>): Promise<IncidentRecord[]> {
  return (await redis.hvals(INCIDENTS_KEY)).flatMap((text) => recordOf(text) ?? []);
}

/**
 * Changes a record in one step that no other process comes between; what the change gives is stored, undefined takes the record
 * away, and the record itself leaves it as it is. Says whether anything changed.
 */
export async function changeRecord(
  redis: Pick<Redis, 'hget' | 'eval'>,
  key: string,
  change: Change,
): Promise<boolean> {
  for (;;) {
    const seen = await redis.hget(INCIDENTS_KEY, key);
    const before = seen === null ? undefined : recordOf(seen);
    const after = change(before);
    if (after === before) return false;
    const text = after === undefined ? '' : JSON.stringify(after);
    if ((await redis.eval(SWAP, 1, INCIDENTS_KEY, key, seen ?? '', text)) === 1) return true;
  }
}

/** Versions before this one kept no deliveries. */
function recordOf(text: string): IncidentRecord | undefined {
  try {
    const record = JSON.parse(text) as IncidentRecord;
    if (typeof record.key !== 'string' || typeof record.since !== 'string') return undefined;
    return { ...record, deliveries: record.deliveries ?? {} };
  } catch {
    return undefined;
  }
}
