import { pino, type Logger } from 'pino';
import { openLogOutput } from '../../warehouse/ground/log-output.ts';
import type { Config } from '../config.ts';

/** A write for each request would cost a tenth of its time; so many characters are about 200 lines. */
const BATCH_CHARS = 64_000;
/** Pino's number of the level `warn`. */
const WARN = 40;
/** The longest a line waits for others. */
const FLUSH_MS = 200;

/**
 * The API's log: JSON lines on standard output. Lines of `info` and below are written in batches, at the latest after
 * 200 ms; a warning or an error is written at once, with all before it, or right after a batch that is being written. Only a
 * kill -9 can lose what waits.
 * A reader that stops reading does not hold up answers, only warnings, errors and the end of the process; a disk without room
 * holds up nothing.
 */
export function openLog(logLevel: Config['logLevel']): Logger {
  const output = openLogOutput((lines, err) => log.warn({ lines, err }, 'lines of the log lost'));
  setInterval(output.flush, FLUSH_MS).unref();
  // First of all listeners: pino closes the output in one of its own.
  process.prependOnceListener('beforeExit', output.end);
  process.prependOnceListener('exit', output.end);
  const log = pino(
    {
      level: logLevel,
      base: { service: 'api', pid: process.pid },
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args);
          if (level >= WARN) output.flushNow();
        },
      },
    },
    { write: (line) => void (output.add(line) >= BATCH_CHARS && output.flush()) },
  );
  return log;
}
