import { AsyncResource } from 'node:async_hooks';
import { attempt, unwrap, type Outcome } from './errors.ts';

/**
 * Creates a function that queues work for the next turns of the event loop and returns the result of the work. Each
 * turn starts the waiting work in order, at least one piece, until `turnMs` have passed. Between two turns, the process
 * sends finished answers and accepts other requests. `now` is a clock in ms.
 */
export function createTurnQueue(
  turnMs: number,
  now: () => number = () => performance.now(),
): <T>(work: () => T | Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  const startTurn = () => {
    const until = now() + turnMs;
    do {
      waiting[0]?.();
      // Remove the work only after its run. If the work queues more work, the queue is then not empty, and no second
      // chain of turns starts.
      waiting.shift();
    } while (waiting.length > 0 && now() < until);
    if (waiting.length > 0) setImmediate(startTurn);
  };
  return <T>(work: () => T | Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      // Work must see the asynchronous context of its caller, for example the predictions of an imported model.
      const inContext = AsyncResource.bind(work);
      waiting.push(() => {
        const outcome = attempt(inContext);
        if (outcome.isGood) resolve(outcome.value);
        else reject(outcome.error);
      });
      if (waiting.length === 1) setImmediate(startTurn);
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
