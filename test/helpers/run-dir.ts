import { join } from 'node:path';

/** Returns the folder that all files of a run share; undefined if AVA was started without test/run.ts. */
export function runFolder(): string | undefined {
  return process.env['TEST_RUN_DIR'];
}

/** Returns the socket of the run's lender of Redis servers. */
export function lenderSocket(folder = runFolder()): string | undefined {
  return folder === undefined ? undefined : join(folder, 'redis');
}
