import { DAY_MS } from '../../ground/dates.ts';
import { LakeContendedError } from './errors.ts';

/** Number of attempts of one writer. After the last attempt, the job fails and is retried later. */
const ATTEMPTS = 5;
/** Other machines finish reading or writing a version within this time. */
const GRACE_MS = DAY_MS;

/**
 * Repeats `attempt` until its result is defined. Undefined means that another machine was faster. After the last
 * attempt, throws `LakeContendedError`.
 */
export async function retryUntilMoved<T>(
  name: string,
  attempt: () => Promise<{ result: T } | undefined>,
): Promise<T> {
  for (let count = 1; count <= ATTEMPTS; count += 1) {
    const outcome = await attempt();
    if (outcome) return outcome.result;
  }
  throw new LakeContendedError(name);
}

/**
 * Returns a test for objects that no pointer names. The test returns whether such an object is old enough to delete.
 */
export function buildIsExpired(now: Date): (at: Date) => boolean {
  const until = now.getTime() - GRACE_MS;
  return (at) => at.getTime() < until;
}
