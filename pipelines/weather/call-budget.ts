import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { SourceOutageError } from '../errors.ts';
import { statusError, type GuardedAnswer } from '../fetch-guarded.ts';

/** The provider's quota of calls. All workers share it, and it covers both forecasts and the archive. */
export type CallBudget = {
  /** Deducts calls from today's quota (UTC). Returns false and deducts nothing when too few are left. */
  take: (calls: number) => Promise<boolean>;
  /** Pauses the requests of all workers to the provider for this time. */
  pause: (ms: number) => Promise<void>;
  /** Milliseconds until requests to the provider may continue. */
  pausedMs: () => Promise<number>;
};

/**
 * Longest requested wait that does not pause all workers: only the refused request waits, and it is then retried. If
 * the provider requests a longer wait, all workers pause.
 */
export const MAX_WAIT_MS = 30_000;
/**
 * Longest pause of all workers. Quotas are per day, so a request for a longer wait is a mistake of the server. Without
 * this limit, such a mistake could stop all weather requests permanently.
 */
const MAX_PAUSE_MS = DAY_MS;

/** Builds the error for a failed answer. If the answer requests a long wait, all workers pause. */
export async function answerError(
  url: string,
  answer: GuardedAnswer,
  { budget, now }: { budget: CallBudget; now: () => Date },
): Promise<Error> {
  const error = statusError(url, answer, now());
  const waitMs = error instanceof SourceOutageError ? (error.retryAfterMs ?? 0) : 0;
  if (waitMs > MAX_WAIT_MS) await budget.pause(Math.min(waitMs, MAX_PAUSE_MS));
  return error;
}

/**
 * Returns why no request is made during a pause. The text is the same for every request, so that reports show it once.
 */
export function pauseReason(pausedMs: number, now: Date): string {
  const until = new Date(now.getTime() + pausedMs).toISOString().slice(11, 19);
  return `requests are paused until ${until} UTC at the request of the provider`;
}
