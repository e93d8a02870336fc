import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../errors.ts';

/** A lock lasts until the lock is released, or until the process that has the lock ends or is killed. */
export type Lock = { release: () => void };

const SQLITE_BUSY = 5;
const RETRY_MS = 25;

/**
 * Takes the lock on a file; returns `undefined` if another process has the lock. Uses SQLite's locks, because the
 * kernel frees them when a process ends. A file with a process id could outlive a process that was killed with kill -9.
 */
export function tryLock(path: string): Lock | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return { release: () => file.close() };
}

/** Runs `work` while holding the lock on a file. Waits for the lock up to `maxWaitMs`. */
export async function withLock<T>(
  path: string,
  maxWaitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const until = Date.now() + maxWaitMs;
  let lock = tryLock(path);
  while (lock === undefined) {
    if (Date.now() > until) {
      throw new CommandError(
        `another command still has the lock ${path}: wait until it ends, then try again`,
      );
    }
    await sleep(RETRY_MS);
    lock = tryLock(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Maximum wait for the lock. Another process that moves the store's pointer holds the lock for seconds. */
const STORE_LOCK_WAIT_MS = 60_000;

/** Runs `work` while holding the lock for the pointers of the store and the models. */
export async function withStoreLock<T>(
  { storeLock }: { storeLock: string },
  work: () => Promise<T>,
): Promise<T> {
  return withLock(storeLock, STORE_LOCK_WAIT_MS, work);
}
