import type { RunServer } from '../commands/serve.ts';
import type { CommandContext } from '../context.ts';

export type ProgramDeps = {
  /** Reads the settings; throws when they are bad. */
  context: () => CommandContext;
  /** Told the exit code of the command. */
  end: (exitCode: number) => void;
  /** The program itself, for its own processes. */
  script: string;
  runServer: RunServer;
};
