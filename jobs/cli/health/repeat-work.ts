const MIN_WAIT_MS = 1_000;
/**
 * Pause after a run, as a multiple of the run's duration, but at most `maxWaitMs`. Short runs then use a twentieth of a
 * core.
 */
const PAUSE_FACTOR = 20;

/** Runs `work` now, soon after each change and after `maxWaitMs`, until `close`. Two runs never overlap. */
export function repeatWork(
  work: () => Promise<void>,
  { maxWaitMs, onError }: { maxWaitMs: number; onError: (error: unknown) => void },
): { runNow: () => Promise<void>; changed: () => void; close: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let earliest = 0;
  let isClosed = false;
  let running = Promise.resolve();
  const run = async () => {
    const startedAt = performance.now();
    await work().catch(onError);
    const durationMs = performance.now() - startedAt;
    const pauseMs = Math.min(maxWaitMs, PAUSE_FACTOR * durationMs);
    earliest = performance.now() + Math.max(MIN_WAIT_MS, pauseMs);
    runAfter(maxWaitMs);
  };
  const runAfter = (ms: number) => {
    const at = Math.max(performance.now() + ms, earliest);
    if (isClosed || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    const wait = Math.max(0, at - performance.now());
    timer = setTimeout(() => {
      dueAt = Infinity;
      running = running.then(run);
    }, wait);
    timer.unref();
  };
  runAfter(0);
  return {
    runNow: () => (running = running.then(run)),
    changed: () => runAfter(0),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
