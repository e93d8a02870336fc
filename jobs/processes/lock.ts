import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../errors.ts';

/** Held until released or until the process ends, however it ends. */
export type Lock = { release: () => void };

const SQLITE_BUSY = 5;
const RETRY_MS = 25;

/**
 * Takes the lock on that file, or gives `undefined` when another process has it.
 * SQLite's lock is one of the kernel: unlike a file with a process id in it, it is never left behind by a kill -9.
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

/** Runs the work while holding the lock on that file; waits for it up to `patienceMs`. */
export async function withLock<T>(
  path: string,
  patienceMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const until = Date.now() + patienceMs;
  let lock = tryLock(path);
  while (lock === undefined) {
    if (Date.now() > until) throw new CommandError(`another command has held ${path} for too long`);
    await sleep(RETRY_MS);
    lock = tryLock(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Whoever moves the pointer of the store is done within seconds. */
const STORE_PATIENCE_MS = 60_000;

/** Runs the work while nobody else moves the pointer of the store or of the models. */
export async function withStoreLock<T>(
  { storeLock }: { storeLock: string },
  work: () => Promise<T>,
): Promise<T> {
  return withLock(storeLock, STORE_PATIENCE_MS, work);
}
