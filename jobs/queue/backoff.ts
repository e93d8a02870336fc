import { SourceOutageError } from '../../pipelines/errors.ts';

/** The name under which jobs ask for this way of waiting. */
export const OUTAGE_BACKOFF = 'outage';

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
