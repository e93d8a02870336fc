import { destination, pino, type Logger } from 'pino';
import type { Config } from './config.ts';

/** A write for each request would cost a tenth of its time; so many bytes hold about 20 lines. */
const BUFFER_BYTES = 4_096;
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
  const output = destination({ fd: 1, minLength: BUFFER_BYTES, sync: false });
  setInterval(() => output.flush(), FLUSH_MS).unref();
  return pino(
    {
      level: logLevel,
      base: { service: 'api', pid: process.pid },
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args);
          if (level >= WARN) output.flushSync();
        },
      },
    },
    output,
  );
}
