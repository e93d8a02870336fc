import { destination, pino, type Logger } from 'pino';
import type { Config } from '../config.ts';

/** A write for each request would cost a tenth of its time; so many characters are about 200 lines. */
const BATCH_CHARS = 64_000;
/** Pino's number of the level `warn`. */
const WARN = 40;
/** The longest a line waits for others. */
const FLUSH_MS = 200;

/**
 * The API's log: JSON lines on standard output. Lines of `info` and below are written in batches, at the latest after
 * 200 ms; a warning or an error is written at once, with all before it. Only a kill -9 can lose what waits.
 * A reader that stops reading does not hold up answers, only warnings, errors and the end of the process.
 */
export function openLog(logLevel: Config['logLevel']): Logger {
  // It writes when told to: collecting lines itself, it measures all that waits anew with each of them.
  const batch = { minLength: BATCH_CHARS, maxWrite: 2 * BATCH_CHARS };
  const output = destination({ fd: 1, ...batch, sync: false });
  let waiting = '';
  const handOver = () => {
    if (waiting !== '') output.write(waiting);
    waiting = '';
  };
  const writeSoon = () => {
    handOver();
    output.flush();
  };
  const writeNow = () => {
    handOver();
    output.flushSync();
  };
  setInterval(writeSoon, FLUSH_MS).unref();
  // First of all listeners: pino closes the output in one of its own.
  process.prependOnceListener('beforeExit', writeNow);
  process.prependOnceListener('exit', writeNow);
  return pino(
    {
      level: logLevel,
      base: { service: 'api', pid: process.pid },
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args);
          if (level >= WARN) writeNow();
        },
      },
    },
    {
      write: (line) => {
        waiting += line;
        if (waiting.length >= BATCH_CHARS) writeSoon();
      },
    },
  );
}
