import { RedisAwayError } from '../errors.ts';

/** Redis answers in well under a millisecond; longer than this and the caller gets a 503 (500 ms is promised). */
const DEADLINE_MS = 300;

export type Deadline = {
  /**
   * The command's answer, or `RedisAwayError` when it fails or does not come in time.
   * An answer that comes too late goes to `late`.
   */
  ask: <T>(command: () => Promise<T>, late?: (answer: T) => void) => Promise<T>;
};

/** Told how long each command took, in seconds; a bad one failed or ran out of time. */
export type Timed = (seconds: number, isGood: boolean) => void;

/**
 * Bounds the time any command may take. While a command that ran out of time is still unanswered, no more are sent:
 * Redis is stuck, and each would only pile up behind it.
 */
export function createDeadline(ms: number = DEADLINE_MS, timed?: Timed): Deadline {
  let stuck = 0;

  return {
    ask: (command, late = () => undefined) => {
      if (stuck > 0) {
        return Promise.reject(new RedisAwayError('redis still owes an earlier answer'));
      }
      return new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const tell = (isGood: boolean) => timed?.((performance.now() - startedAt) / 1000, isGood);
        let isLate = false;
        let isSettled = false;
        const giveUp = () => {
          if (!isSettled) {
            isLate = true;
            stuck += 1;
            tell(false);
            reject(new RedisAwayError(`redis did not answer in ${ms} ms`));
          }
        };
        // After a long pause of our own the answer may be here already: read it before giving up.
        const timer = setTimeout(() => setImmediate(giveUp), ms);
        const settle = (isGood: boolean, then: () => void, thenLate: () => void) => {
          isSettled = true;
          clearTimeout(timer);
          if (isLate) {
            stuck -= 1;
            thenLate();
          } else {
            tell(isGood);
            then();
          }
        };
        // One that throws at once has failed like any other; else its timer would count it as owed for ever.
        Promise.try(command).then(
          (answer) =>
            settle(
              true,
              () => resolve(answer),
              () => late(answer),
            ),
          (cause: unknown) =>
            settle(
              false,
              () => reject(new RedisAwayError('redis refused', { cause })),
              () => undefined,
            ),
        );
      });
    },
  };
}
