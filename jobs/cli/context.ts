import type { Env, JobsConfig } from '../config.ts';
import type { RunServer } from './commands/serve.ts';
import type { ProgressStream } from './progress-line.ts';

/** What every command gets from main.ts. */
export type CommandContext = {
  config: JobsConfig;
  /** Handed on to child processes. */
  env: Env;
  out: NodeJS.WritableStream;
  err: ProgressStream;
  now: () => Date;
  /** Starts workers; a test puts its own here. */
  workerScript: string;
};

/** What the commands are made of. */
export type ProgramDeps = {
  /** Reads the settings; throws when they are bad. */
  context: () => CommandContext;
  /** Told the exit code of the command. */
  end: (exitCode: number) => void;
  /** The program itself, for its own processes. */
  script: string;
  runServer: RunServer;
};
