import { PortError, WorkerFailedError } from '../../../api/errors.ts';
import { CorruptFileError, RedisAwayError } from '../../../warehouse/errors.ts';
import { NoPointersError, OtherLakeError } from '../../../warehouse/lake/shared/errors.ts';
import { StorageAwayError, StorageRefusedError } from '../../../warehouse/objects/objects.ts';
import { readConfig, type Env } from '../../config.ts';
import { CommandError, InterruptedError, JobFailedError } from '../../errors.ts';
import type { ProgramDeps } from '../context.ts';
import { createProgram } from './program.ts';

/** Runs the command of this process's arguments and returns its exit code. */
export async function runProgram({
  env,
  script,
  runServer,
}: Pick<ProgramDeps, 'script' | 'runServer'> & { env: Env }): Promise<number> {
  let exitCode = 0;
  const program = createProgram({
    context: () => ({
      config: readConfig(env),
      env,
      out: process.stdout,
      err: process.stderr,
      now: () => new Date(),
      workerScript: script,
    }),
    end: (code) => {
      exitCode = code;
    },
    script,
    runServer,
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
    StorageAwayError,
    StorageRefusedError,
    OtherLakeError,
    NoPointersError,
  ].some((kind) => error instanceof kind);
  if (isWithoutWrites(error)) {
    console.error(
      `Redis takes no writes, most often as its disk is full: ${error.message} make status tells what is free.`,
    );
    return 1;
  }
  if (isFull(error)) {
    console.error(
      `There is no room left on the disk: ${error.message}. make status tells what is free.`,
    );
    return 1;
  }
  console.error(isExpected && error instanceof Error ? error.message : error);
  return error instanceof CommandError ? error.exitCode : 1;
}

function isFull(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}

/** What a Redis answers that could not write to its files. */
function isWithoutWrites(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('MISCONF');
}
