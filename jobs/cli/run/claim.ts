import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../errors.ts';
import { tryLock } from '../../processes/lock.ts';
import type { Lock } from '../../processes/lock.ts';

/** The one `run` of a data folder, which tells others the port it listens on. */
export type Claim = Lock & { tell: (port: number) => void };

/** Makes this process the one `run` of the data folder; throws when there is one already. */
export function claimRun(dataDir: string): Claim {
  mkdirSync(dataDir, { recursive: true });
  const portFile = join(dataDir, 'run.port');
  const lock = tryLock(join(dataDir, 'run.lock'));
  if (lock === undefined) {
    throw new CommandError(`Headwind is running already for ${dataDir}, on port ${read(portFile)}`);
  }
  rmSync(portFile, { force: true });
  return { ...lock, tell: (port) => writeFileSync(portFile, String(port)) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'unknown';
  }
}
