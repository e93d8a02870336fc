import type { Logger } from 'pino';

/** A wait of a quarter of an hour makes 15 log lines. */
const LOG_INTERVAL_MS = 60_000;

/** Creates a function that logs which process has the warehouse open while a job waits: at once, then every minute. */
export function createWaitLogger(
  log: Pick<Logger, 'warn'>,
  now: () => number = Date.now,
): (holder: string) => void {
  const nextLogAt = new Map<string, number>();
  return (holder) => {
    if (now() < (nextLogAt.get(holder) ?? 0)) return;
    nextLogAt.set(holder, now() + LOG_INTERVAL_MS);
    log.warn({ holder }, 'a job waits for the warehouse, which another process has open');
  };
}
