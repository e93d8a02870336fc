import { DAY_MS } from '../../ground/dates.ts';
import { LakeContendedError } from './errors.ts';

/** A writer that loses to others so often is tried again later, as a job. */
const ATTEMPTS = 5;
/** Whoever reads or writes a version on another machine is done with it by then. */
const GRACE_MS = DAY_MS;

/** Does `once` until it has a result: none says that another machine was first. Throws `LakeContendedError` of the name in the end. */
export async function untilMoved<T>(
  name: string,
  once: () => Promise<{ result: T } | undefined>,
): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const done = await once();
    if (done) return done.result;
  }
  throw new LakeContendedError(name);
}

/** Whether what was written then may go where nothing names it. */
export function isOldAt(now: Date): (at: Date) => boolean {
  const until = now.getTime() - GRACE_MS;
  return (at) => at.getTime() < until;
}
