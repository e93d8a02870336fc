/** The one program: `headwind <command>`. Reads the environment and joins the commands with the API. */
import { fileURLToPath } from 'node:url';
import { PortError, WorkerFailedError } from '../api/errors.ts';
import { CorruptFileError, RedisAwayError } from '../warehouse/errors.ts';
import { createProgram } from './cli/program/program.ts';
import { readConfig } from './config.ts';
import { CommandError, InterruptedError, JobFailedError } from './errors.ts';

const SCRIPT = fileURLToPath(import.meta.url);

process.exit(await main());

async function main(): Promise<number> {
  let exitCode = 0;
  const program = createProgram({
    context: () => ({
      config: readConfig(process.env),
      env: process.env,
      out: process.stdout,
      err: process.stderr,
      now: () => new Date(),
      workerScript: SCRIPT,
    }),
    end: (code) => {
      exitCode = code;
    },
    script: SCRIPT,
    runServer: async (config, afterwards) => {
      const { runServer } = await import('../api/server/run.ts');
      const { schedule } = readConfig(process.env);
      return runServer(config, afterwards, async () => {
        // A process that answers requests knows no queue until an operator looks at them.
        const { openOperations } = await import('./queue/operations.ts');
        const { schedulesOf } = await import('./queue/schedules.ts');
        return openOperations(config.redisUrl, schedulesOf(schedule));
      });
    },
  });
  try {
    await program.parseAsync();
    return exitCode;
  } catch (error) {
    return tell(error);
  }
}

/** Prints what went wrong, without a stack trace where the person at the terminal can act on it. */
function tell(error: unknown): number {
  if (error instanceof InterruptedError) return error.signal === 'SIGINT' ? 130 : 143;
  // A worker has said it on the same standard error.
  if (error instanceof WorkerFailedError) return 1;
  const isExpected = [
    CommandError,
    JobFailedError,
    PortError,
    RedisAwayError,
    CorruptFileError,
  ].some((kind) => error instanceof kind);
  console.error(isExpected && error instanceof Error ? error.message : error);
  return error instanceof CommandError ? error.exitCode : 1;
}
