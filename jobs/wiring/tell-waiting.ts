import type { Logger } from 'pino';

/** A job that waits for a quarter of an hour is told of fifteen times. */
const TELL_EVERY_MS = 60_000;

/** Says in the log which process keeps the warehouse from a job: at once, and every minute that it goes on. */
export function tellWaiting(
  log: Pick<Logger, 'warn'>,
  now: () => number = Date.now,
): (holder: string) => void {
  const tellAt = new Map<string, number>();
  return (holder) => {
    if (now() < (tellAt.get(holder) ?? 0)) return;
    tellAt.set(holder, now() + TELL_EVERY_MS);
    log.warn({ holder }, 'a job waits for the warehouse, which another process has open');
  };
}
