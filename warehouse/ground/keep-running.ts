import { setTimeout as sleep } from 'node:timers/promises';

/** What lived this long had started properly. */
const SETTLED_MS = 5_000;
const LONGEST_WAIT_MS = 5_000;

/** A process that is to run for as long as it is wanted. */
export type Kept<End> = {
  /** Starts it and waits for its end. */
  live: () => Promise<End>;
  /** Told of an end nobody asked for, and after how long it starts again; false leaves it alone. */
  ended: (end: End, next: { isSettled: boolean; waitMs: number }) => boolean;
  /** Wait before the first start again, in ms; it doubles up to 5 s while the process ends within 5 s of its start. */
  firstWaitMs: number;
};

/** Starts it again whenever it ends, later and later while it keeps ending at once. Ends once it is left alone, or stopped. */
export async function keepRunning<End>(
  { live, ended, firstWaitMs }: Kept<End>,
  stopping: AbortSignal,
): Promise<void> {
  let waitMs = firstWaitMs;
  while (!stopping.aborted) {
    const startedAt = Date.now();
    const end = await live();
    if (stopping.aborted) return;
    const isSettled = Date.now() - startedAt > SETTLED_MS;
    waitMs = isSettled ? firstWaitMs : Math.min(2 * waitMs, LONGEST_WAIT_MS);
    if (!ended(end, { isSettled, waitMs })) return;
    await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}
