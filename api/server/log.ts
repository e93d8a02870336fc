import { pino, type Logger } from 'pino';
import { openLogOutput } from '../../warehouse/ground/log-output.ts';
import type { Config } from '../config.ts';

/**
 * Size of a batch in characters, about 200 lines. Writing each line separately would take a tenth of the time of a
 * request.
 */
const BATCH_CHARS = 64_000;
/** Pino's number for the level `warn`. */
const WARN = 40;
/** Maximum time that a line waits in a batch. */
const FLUSH_MS = 200;

/**
 * Opens the log of the API: JSON lines on standard output. Lines of level `info` and below are written in batches,
 * after 200 ms at the latest. A warning or error is written immediately, after the lines before it. Waiting lines are
 * lost only if the process is killed with SIGKILL. If the reader of the output hangs, answers do not wait. Only
 * warnings, errors and the end of the process wait. A full disk delays nothing.
 */
export function openLog(logLevel: Config['logLevel']): Logger {
  const output = openLogOutput((lines, err) => log.warn({ lines, err }, 'log lines lost'));
  setInterval(output.flush, FLUSH_MS).unref();
  // This listener must run before pino's own listener, which closes the output.
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
