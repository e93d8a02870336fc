import type { Env, JobsConfig } from '../config.ts';
import type { RunServer } from './commands/serve.ts';
import type { ProgressStream } from './progress-line.ts';

/** The context of every command, made by main.ts. */
export type CommandContext = {
  config: JobsConfig;
  /** Environment of child processes. */
  env: Env;
  out: NodeJS.WritableStream;
  err: ProgressStream;
  now: () => Date;
  /** Script that starts a worker; tests replace it. */
  workerScript: string;
};

/** Dependencies of the program's commands. */
export type ProgramDeps = {
  /** Reads the settings; throws if they are invalid. */
  context: () => CommandContext;
  /** Receives the exit code of the command. */
  end: (exitCode: number) => void;
  /** Path of this program, for starting its processes. */
  script: string;
  runServer: RunServer;
};
