import { setTimeout as sleep } from 'node:timers/promises';

/** A process that has run for this time is considered stable. */
const STABLE_AFTER_MS = 5_000;
const MAX_WAIT_MS = 5_000;

/** A process that is restarted whenever it ends. */
export type RestartedProcess<End> = {
  /** Starts the process and waits for its end. */
  run: () => Promise<End>;
  /**
   * Called when the process ends unexpectedly. `waitMs` is the wait before the next start. Return false to prevent the
   * restart.
   */
  shouldRestart: (end: End, next: { isStable: boolean; waitMs: number }) => boolean;
  /**
   * Wait before the first restart, in ms. Each time the process ends before it is stable, the wait doubles, up to 5 s.
   */
  firstWaitMs: number;
};

/**
 * Runs a process and restarts it with back-off whenever it ends. Returns when `stopping` aborts or `shouldRestart`
 * returns false.
 */
export async function keepRunning<End>(
  { run, shouldRestart, firstWaitMs }: RestartedProcess<End>,
  stopping: AbortSignal,
): Promise<void> {
  let waitMs = firstWaitMs;
  while (!stopping.aborted) {
    const startedAt = Date.now();
    const end = await run();
    if (stopping.aborted) return;
    const isStable = Date.now() - startedAt > STABLE_AFTER_MS;
    waitMs = isStable ? firstWaitMs : Math.min(2 * waitMs, MAX_WAIT_MS);
    if (!shouldRestart(end, { isStable, waitMs })) return;
    await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}
