import { PortError, WorkerFailedError } from '../../../api/errors.ts';
import { CorruptFileError, RedisUnavailableError } from '../../../warehouse/errors.ts';
import { NoPointersError, OtherLakeError } from '../../../warehouse/lake/shared/errors.ts';
import {
  StorageUnavailableError,
  StorageRefusedError,
} from '../../../warehouse/objects/objects.ts';
import { readConfig, type Env } from '../../config.ts';
import { CommandError, InterruptedError, JobFailedError } from '../../errors.ts';
import type { ProgramDeps } from '../context.ts';
import { isWriteRefusal } from '../../queue/write-probe.ts';
import { Command } from 'commander';
import { addKeys } from './keys.ts';
import { addMaintenance } from './maintenance.ts';
import { addModels } from './models.ts';
import { addProcesses } from './processes.ts';
import { addSafety } from './safety.ts';
import { addSteps } from './steps.ts';
import { FREE_SPACE_HINT, isDiskFull } from '../../../warehouse/ground/files.ts';

/** Runs the command that the arguments of this process name. Returns its exit code. */
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
    return printError(error);
  }
}

/**
 * Prints the error. Leaves out the stack trace if the person at the terminal can act on the error. Returns the exit
 * code.
 */
function printError(error: unknown): number {
  if (error instanceof InterruptedError) return error.signal === 'SIGINT' ? 130 : 143;
  // The API worker has already printed the error to the same standard error.
  if (error instanceof WorkerFailedError) return 1;
  const isExpected = [
    CommandError,
    JobFailedError,
    PortError,
    RedisUnavailableError,
    CorruptFileError,
    StorageUnavailableError,
    StorageRefusedError,
    OtherLakeError,
    NoPointersError,
  ].some((kind) => error instanceof kind);
  if (!isExpected && isWriteRefusal(error)) {
    console.error(
      `Redis refuses writes: ${error.message} If the disk is full, run make free-space. To see the free space, run make status.`,
    );
    return 1;
  }
  if (!isExpected && isDiskFull(error)) {
    console.error(`The disk is full: ${error.message}. ${FREE_SPACE_HINT}.`);
    return 1;
  }
  console.error(isExpected && error instanceof Error ? error.message : error);
  return error instanceof CommandError ? error.exitCode : 1;
}

/** Creates the program `headwind <command>` with all commands. A command loads its code when it runs. */
export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('headwind')
    .description('Loads flights into a warehouse and serves delay-risk scores from them.')
    .showHelpAfterError('(--help lists commands and options)');
  addProcesses(program, deps);
  addSteps(program, deps);
  addModels(program, deps);
  addMaintenance(program, deps);
  addSafety(program, deps);
  addKeys(program, deps);
  return program;
}
