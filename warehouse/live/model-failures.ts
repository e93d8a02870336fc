import type { Redis } from 'ioredis';
import { isRecent, readReports, removeReport, writeReport } from './reports.ts';

/**
 * A failure of the imported model in one API process. While the imported model fails, the last of our own released
 * models answers.
 */
export type ModelFailure = {
  /** Host and process. */
  place: string;
  version: string;
  reason: string;
  /** Start of the failure (ISO). */
  since: string;
  /** Time of the report (ISO). */
  at: string;
};

/** Redis hash that maps an API process to its failure as JSON. */
const FAILURES_KEY = 'hw:model-failures';

/** A report is valid for this time. Processes repeat their report every 30 s. */
const VALID_MS = 2 * 60_000;

/** Records the failure of a process. */
export async function recordModelFailure(
  redis: Pick<Redis, 'hset'>,
  failure: ModelFailure,
): Promise<void> {
  await writeReport(redis, FAILURES_KEY, failure.place, failure);
}

/** Removes the failure of a process. */
export async function removeModelFailure(redis: Pick<Redis, 'hdel'>, place: string): Promise<void> {
  await removeReport(redis, FAILURES_KEY, place);
}

/** Reads the failures that were reported in the last 2 minutes, oldest first. */
export async function readModelFailures(
  redis: Pick<Redis, 'hgetall' | 'hdel'>,
  now: Date,
): Promise<ModelFailure[]> {
  const failures = await readReports<ModelFailure>(redis, FAILURES_KEY, now);
  return failures
    .filter((failure) => isRecent(failure, now, VALID_MS))
    .toSorted((a, b) => a.since.localeCompare(b.since));
}
