import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobsConfig } from '../../config.ts';
import { CommandError } from '../../errors.ts';
import { tryLock } from '../../processes/lock.ts';
import type { Lock } from '../../processes/lock.ts';

/** Makes this process the one `run` of the data folder; throws when there is one already. */
export function claimRun({ dataDir, port }: JobsConfig): Lock {
  mkdirSync(dataDir, { recursive: true });
  const portFile = join(dataDir, 'run.port');
  const lock = tryLock(join(dataDir, 'run.lock'));
  if (lock === undefined) {
    throw new CommandError(`Headwind is running already for ${dataDir}, on port ${read(portFile)}`);
  }
  writeFileSync(portFile, String(port));
  return lock;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'unknown';
  }
}
