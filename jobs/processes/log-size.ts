import { renameSync, statSync } from 'node:fs';

const MAX_LOG_BYTES = 20_000_000;
/** Logs set aside, `.1` the newest. */
const LOGS_KEPT = 3;

/** Bytes in the log; 0 when there is none. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether a log has grown so big that it is set aside. */
export function isBig(file: string): boolean {
  return logSize(file) > MAX_LOG_BYTES;
}

/** Makes room for a log as `.1`: those set aside before grow older by one, and the oldest goes. */
export function makeRoom(file: string): void {
  for (let age = LOGS_KEPT - 1; age >= 1; age--) {
    const older = `${file}.${age}`;
    if (statSync(older, { throwIfNoEntry: false })) renameSync(older, `${file}.${age + 1}`);
  }
}
