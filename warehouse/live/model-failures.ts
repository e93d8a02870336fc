import type { Redis } from 'ioredis';

/** An API process whose imported model failed, so that the model of our own answers. */
export type ModelFailure = {
  /** Host and process. */
  place: string;
  version: string;
  reason: string;
  /** Start of the failure (ISO). */
  since: string;
  /** When the process reported this (ISO). */
  at: string;
};

/** Hash that maps an API process to its failure as JSON. */
const FAILURES_KEY = 'hw:model-failures';

/** Processes repeat their report every 30 s. */
const VALID_MS = 2 * 60_000;

/** Records the failure of a process. */
export async function recordModelFailure(
  redis: Pick<Redis, 'hset'>,
  failure: ModelFailure,
): Promise<void> {
  await redis.hset(FAILURES_KEY, failure.place, JSON.stringify(failure));
}

/** Removes the failure of a process. */
export async function removeModelFailure(redis: Pick<Redis, 'hdel'>, place: string): Promise<void> {
  await redis.hdel(FAILURES_KEY, place);
}

/** Reads the failures of the last 2 minutes, oldest first, and removes older ones. */
export async function readModelFailures(
  redis: Pick<Redis, 'hvals' | 'hdel'>,
  now: Date,
): Promise<ModelFailure[]> {
  const failures = (await redis.hvals(FAILURES_KEY)).map(
    (text) => JSON.parse(text) as ModelFailure,
  );
  const isValid = ({ at }: ModelFailure) => now.getTime() - Date.parse(at) < VALID_MS;
  for (const { place } of failures.filter((one) => !isValid(one))) {
    await removeModelFailure(redis, place);
  }
  return failures.filter(isValid).toSorted((a, b) => (a.since < b.since ? -1 : 1));
}
