import type { Env, JobsConfig } from '../config.ts';
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
