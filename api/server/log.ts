import { pino, type Logger } from 'pino';
import { openLogOutput } from '../../warehouse/ground/log-output.ts';
import type { Config } from '../config.ts';

/** Size of a batch: about 200 lines. Writing each line separately would take a tenth of the time of a request. */
const BATCH_CHARS = 64_000;
/** Pino's number for the level `warn`. */
const WARN = 40;
/** Longest time that a line waits before its batch is written. */
const FLUSH_MS = 200;

/**
 * Opens the API's log: JSON lines on standard output. Lines of `info` and below are written in batches, after 200 ms at
 * the latest. A warning or an error is written at once with all lines before it, or right after the batch that is being
 * written. Only a kill -9 can lose waiting lines. If the program that reads the output stops reading, answers are not
 * delayed, but warnings, errors and the end of the process are. A full disk delays nothing.
 */
export function openLog(logLevel: Config['logLevel']): Logger {
  const output = openLogOutput((lines, err) => log.warn({ lines, err }, 'log lines lost'));
  setInterval(output.flush, FLUSH_MS).unref();
  // Must run before the listener in which pino closes the output.
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
