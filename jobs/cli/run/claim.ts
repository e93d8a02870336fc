import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../errors.ts';
import { tryLock, type Lock } from '../../processes/lock.ts';

/**
 * Lock that allows one `run` per data folder. `writePort` saves the port of the API, because a second `run` prints this
 * port.
 */
export type Claim = Lock & { writePort: (port: number) => void };

/** Makes this process the only `run` of the data folder; throws if another one is running. */
export function claimRun(dataDir: string): Claim {
  mkdirSync(dataDir, { recursive: true });
  const portFile = join(dataDir, 'run.port');
  const lock = tryLock(join(dataDir, 'run.lock'));
  if (lock === undefined) {
    throw new CommandError(
      `Headwind is already running on port ${readPort(portFile)} with the data folder ${dataDir}`,
    );
  }
  rmSync(portFile, { force: true });
  return { ...lock, writePort: (port) => writeFileSync(portFile, String(port)) };
}

function readPort(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'unknown';
  }
}
