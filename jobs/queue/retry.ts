import { DelayedError, type Job, type JobsOptions } from 'bullmq';
import { SourceOutageError } from '../../pipelines/errors.ts';

/** Name of the back-off that `outageWaitMs` calculates. */
const OUTAGE_BACKOFF = 'outage';

const DAY_S = 24 * 3600;

/**
 * How often and when a job is retried, and how long its result is stored. This file sets the options of all jobs,
 * except the jobs that deliver messages of watches.
 */
export const JOB_OPTIONS: JobsOptions = {
  attempts: 4,
  // Waits 1, 2 and 4 seconds. Each wait is shortened by a random part, up to a half, so that jobs do not all retry at
  // once.
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
  removeOnComplete: { age: DAY_S, count: 1_000 },
  removeOnFail: { age: 7 * DAY_S },
};

/** Options for scheduled refreshes. A refresh retries its own fetches, and the next run replaces a failed run. */
export const LIVE_JOB_OPTIONS: JobsOptions = { ...JOB_OPTIONS, attempts: 1 };

/**
 * Options for the jobs of a backfill's months. The provider's server may be down for several minutes, so these jobs
 * retry for longer.
 */
export const MONTH_JOB_OPTIONS: JobsOptions = {
  ...JOB_OPTIONS,
  attempts: 6,
  backoff: { type: OUTAGE_BACKOFF },
};

/**
 * Options for a search. A person may wait for the result. A few attempts are enough, because the schedule repeats the
 * search.
 */
export const SEARCH_JOB_OPTIONS: JobsOptions = { ...MONTH_JOB_OPTIONS, attempts: 2 };

const FIRST_WAIT_MS = 2_000;
/**
 * Growth of the wait after each failed attempt. The waits are 2, 6, 18, 54 and 162 s: together four minutes, longer
 * than a restart of the server.
 */
const GROWTH = 3;
/** Limit for Retry-After; most servers have recovered by then. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * Returns the wait in ms after the n-th failed attempt. Waits grow with each attempt. Each wait is shortened by up to
 * a half, so that jobs do not all retry at once. No wait is shorter than the server's Retry-After.
 */
export function outageWaitMs(
  attemptsMade: number,
  error: Error | undefined,
  random: () => number = Math.random,
): number {
  const longest = FIRST_WAIT_MS * GROWTH ** (attemptsMade - 1);
  const wait = longest * (1 - random() / 2);
  const retryAfterMs = error instanceof SourceOutageError ? (error.retryAfterMs ?? 0) : 0;
  return Math.round(Math.max(wait, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)));
}

/** Shortest and longest wait of a job that waits for other jobs. The wait is a tenth of the job's age. */
const SHORTEST_CHECK_MS = 1_000;
const LONGEST_CHECK_MS = 15_000;

/** Delays a job until its next check of the jobs that it waits for. Always throws, as BullMQ expects. */
export async function postpone(
  job: Pick<Job, 'timestamp' | 'token' | 'moveToDelayed'>,
): Promise<never> {
  const now = Date.now();
  const waitMs = Math.min(
    LONGEST_CHECK_MS,
    Math.max(SHORTEST_CHECK_MS, (now - job.timestamp) / 10),
  );
  await job.moveToDelayed(now + Math.round(waitMs), job.token);
  throw new DelayedError();
}
