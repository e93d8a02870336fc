import { RedisUnavailableError } from '../errors.ts';

/**
 * Time after which the caller gets a 503, because we promise an answer within 500 ms. Redis usually answers in well
 * under a millisecond.
 */
const DEADLINE_MS = 300;

export type Deadline = {
  /**
   * Runs a command and returns the reply. Throws `RedisUnavailableError` if the command fails or takes too long. A
   * reply that arrives after the deadline goes to `onLateReply`.
   */
  run: <T>(command: () => Promise<T>, onLateReply?: (answer: T) => void) => Promise<T>;
};

/** Called with the duration of each command, in seconds; `isGood` is false if the command failed or timed out. */
export type RecordTiming = (seconds: number, isGood: boolean) => void;

/**
 * Creates a deadline for commands. While a timed-out command has no reply, further commands are refused, because Redis
 * is stuck and the commands would only queue up.
 */
export function createDeadline(ms: number = DEADLINE_MS, recordTiming?: RecordTiming): Deadline {
  let stuckCount = 0;

  return {
    run: (command, onLateReply = () => undefined) => {
      if (stuckCount > 0) {
        return Promise.reject(
          new RedisUnavailableError('redis has not answered an earlier command yet'),
        );
      }
      return new Promise((resolve, reject) => {
        const startedAt = performance.now();
        const record = (isGood: boolean) =>
          recordTiming?.((performance.now() - startedAt) / 1000, isGood);
        let isLate = false;
        let isSettled = false;
        const giveUp = () => {
          if (!isSettled) {
            isLate = true;
            stuckCount += 1;
            record(false);
            reject(new RedisUnavailableError(`redis did not answer in ${ms} ms`));
          }
        };
        // After a long pause of this process, the reply may already have arrived. `setImmediate` lets the process read
        // the reply first.
        const timer = setTimeout(() => setImmediate(giveUp), ms);
        const finish = (isGood: boolean, onTime: () => void, onLate: () => void) => {
          isSettled = true;
          clearTimeout(timer);
          if (isLate) {
            stuckCount -= 1;
            onLate();
          } else {
            record(isGood);
            onTime();
          }
        };
        // `Promise.try` also catches an error that `command` throws synchronously. Without it, the command would be
        // treated as unanswered forever.
        Promise.try(command).then(
          (answer) =>
            finish(
              true,
              () => resolve(answer),
              () => onLateReply(answer),
            ),
          (cause: unknown) =>
            finish(
              false,
              () => reject(new RedisUnavailableError('redis command failed', { cause })),
              () => undefined,
            ),
        );
      });
    },
  };
}
