import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type { ConditionName } from './conditions.ts';

/**
 * A problem that an operator should know about. The incident is open from the detection of the problem until the
 * problem is fixed.
 */
export type Incident = {
  /**
   * Identifies the problem, for example `job look-for-months`, `checks`, `refused 2025-03`, `refused 2025-03 of the
   * delay-cause table` or `check month_volume`.
   */
  key: string;
  /** A code for programs. */
  kind: ConditionName;
  /** A sentence for people. */
  text: string;
  /** ISO, UTC. */
  since: string;
  /** For a failed backfill: the months that still fail, such as `flights 2025-03`. */
  months?: string[];
  /**
   * If the fingerprint changes, the problem is treated as a new incident, even if an operator acknowledged the old one.
   */
  fingerprint?: string;
};

/** Kinds of news: the results of a training. Unlike an incident, news is never open. */
export type NewsKind = 'model.released' | 'model.refused';

/**
 * State of the notice to one address.
 * - `taken`: the address accepted the notice that the incident began.
 * - A number: a process may be sending a notice until this time (ms since 1970). After this time, it is unknown whether
 *   the notice arrived.
 */
export type Delivery = 'taken' | number;

/**
 * A stored incident or news. The record remains as long as an address was notified of the beginning but not yet of the
 * end.
 */
export type IncidentRecord = Omit<Incident, 'kind'> & {
  kind: ConditionName | NewsKind;
  /** End of the incident, or time of the news (ISO); absent while an incident is open. */
  endedAt?: string;
  /**
   * Whether an operator acknowledged the incident. An acknowledged incident is hidden until its fingerprint changes.
   */
  isAcknowledged?: boolean;
  /** The job that reported the news. */
  job?: string;
  /** States of the notices, by hash of the address. An address without a state has not been notified. */
  deliveries: Record<string, Delivery>;
};

type Change = (record: IncidentRecord | undefined) => IncidentRecord | undefined;

/** Redis hash that maps the key of an incident to its record as JSON. */
const INCIDENTS_KEY = 'hw:incidents';
const SWAP = readFileSync(new URL('swap.lua', import.meta.url), 'utf8');

/** Reads all records. Skips records that cannot be read. */
export async function readRecords(redis: Pick<Redis, 'hvals'>): Promise<IncidentRecord[]> {
  return (await redis.hvals(INCIDENTS_KEY)).flatMap((text) => parseRecord(text) ?? []);
}

/**
 * Changes a record atomically. `change` returns the new record, undefined to delete the record, or its argument to
 * leave the record unchanged. It may be called several times. Returns whether anything changed.
 */
export async function changeRecord(
  redis: Pick<Redis, 'hget' | 'eval'>,
  key: string,
  change: Change,
): Promise<boolean> {
  for (;;) {
    const storedText = await redis.hget(INCIDENTS_KEY, key);
    const before = storedText === null ? undefined : parseRecord(storedText);
    const after = change(before);
    if (after === before) return false;
    const text = after === undefined ? '' : JSON.stringify(after);
    if ((await redis.eval(SWAP, 1, INCIDENTS_KEY, key, storedText ?? '', text)) === 1) return true;
  }
}

/** Parses a record; undefined if the record is invalid. */
function parseRecord(text: string): IncidentRecord | undefined {
  try {
    const record = JSON.parse(text) as IncidentRecord;
    if (typeof record.key !== 'string' || typeof record.since !== 'string') return undefined;
    return record;
  } catch {
    return undefined;
  }
}
