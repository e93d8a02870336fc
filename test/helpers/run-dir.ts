import { join } from 'node:path';

/** Folder of what test/run.ts makes once for all files of a run; undefined when AVA was started without it. */
export function runDir(): string | undefined {
  return process.env['TEST_RUN_DIR'];
}

/** Socket of the run's lender of Redis servers. */
export function lenderSocket(folder = runDir()): string | undefined {
  return folder === undefined ? undefined : join(folder, 'redis');
}
