import { attempt, unwrap, type Outcome } from './errors.ts';

/**
 * Creates a function that waits for a turn of the event loop. In each turn, only the caller that has waited longest
 * continues. Between two callers, the process sends finished answers and accepts other requests.
 */
export function createTurnQueue(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const startNext = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(startNext);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(startNext);
    });
}

/**
 * Runs `work` in the next turn of the event loop, after pending commands are sent. Returns a function that returns the
 * result.
 */
export function runInNextTurn<T>(work: () => T): () => T {
  let outcome: Outcome<T> | undefined;
  setImmediate(() => {
    outcome = attempt(work);
    // If the call is refused, nobody awaits this promise. Catch its rejection here.
    if (outcome.isGood && outcome.value instanceof Promise) outcome.value.catch(() => undefined);
  });
  return () => unwrap(outcome ?? attempt(work));
}
