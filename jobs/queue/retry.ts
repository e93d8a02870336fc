import type { JobsOptions } from 'bullmq';
import { SourceOutageError } from '../../pipelines/errors.ts';

/** The name under which jobs ask for the waits of `outageWaitMs`. */
const OUTAGE_BACKOFF = 'outage';

const DAY_S = 24 * 3600;

/** The one place for how often and how late a job is tried again, and how long its result is kept. */
export const JOB_OPTIONS: JobsOptions = {
  attempts: 4,
  // 1, 2 and 4 seconds, each shortened by up to a half so that many jobs do not come back at once.
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
  removeOnComplete: { age: DAY_S, count: 1_000 },
  removeOnFail: { age: 7 * DAY_S },
};

/** For jobs that come again by themselves: they try again within, and what they miss the next one brings. */
export const LIVE_JOB_OPTIONS: JobsOptions = { ...JOB_OPTIONS, attempts: 1 };

/** For months of a back-fill, which come from a server that may be away for minutes. */
export const MONTH_JOB_OPTIONS: JobsOptions = {
  ...JOB_OPTIONS,
  attempts: 6,
  backoff: { type: OUTAGE_BACKOFF },
};

const FIRST_WAIT_MS = 2_000;
/** 2, 6, 18, 54 and 162 s: together four minutes, which outlast a restart of the server. */
const GROWTH = 3;
/** A server that wants to be left alone for longer is asked again after this; by then most have recovered. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * How long a job waits after its n-th failed attempt: ever longer, shortened by up to a half so that many do not come
 * back at once, but never less than the server asked for with Retry-After.
 */
export function outageWaitMs(
  attemptsMade: number,
  error: Error | undefined,
  random: () => number = Math.random,
): number {
  const longest = FIRST_WAIT_MS * GROWTH ** (attemptsMade - 1);
  const wait = longest * (1 - random() / 2);
  const asked = error instanceof SourceOutageError ? (error.retryAfterMs ?? 0) : 0;
  return Math.round(Math.max(wait, Math.min(asked, LONGEST_RETRY_AFTER_MS)));
}
