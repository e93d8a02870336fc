import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { SourceOutageError } from '../errors.ts';
import { statusError, type GuardedAnswer } from '../fetch-guarded.ts';

/** The provider's quota, shared by all workers, for forecasts and archive alike. */
export type CallBudget = {
  /** Counts calls of today (UTC) and says whether they were still to be had; those that were not are not counted. */
  take: (calls: number) => Promise<boolean>;
  /** Makes everyone leave the provider alone for so long. */
  pause: (ms: number) => Promise<void>;
  /** Milliseconds the provider still wants to be left alone. */
  pausedMs: () => Promise<number>;
};

/** Who wants to be left alone for longer is asked by nobody; for less, only who was refused waits. */
export const LONGEST_WAIT_MS = 30_000;
/** Quotas are by the day; a server that says later than that is mistaken, and would stop the weather for good. */
const LONGEST_PAUSE_MS = DAY_MS;

/** The error of an answer that brings nothing; a long pause that it asks for is kept by everyone from now on. */
export async function answerError(
  url: string,
  answer: GuardedAnswer,
  { budget, now }: { budget: CallBudget; now: () => Date },
): Promise<Error> {
  const error = statusError(url, answer, now());
  const waitMs = error instanceof SourceOutageError ? (error.retryAfterMs ?? 0) : 0;
  if (waitMs > LONGEST_WAIT_MS) await budget.pause(Math.min(waitMs, LONGEST_PAUSE_MS));
  return error;
}

/** Why nothing is asked now; the same words for every request that is not made. */
export function leftAlone(pausedMs: number, now: Date): string {
  const until = new Date(now.getTime() + pausedMs).toISOString().slice(11, 19);
  return `the provider asked to be left alone until ${until} UTC`;
}
