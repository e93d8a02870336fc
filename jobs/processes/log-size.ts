import { renameSync, statSync } from 'node:fs';

const MAX_LOG_BYTES = 20_000_000;
/** Number of former logs; `.1` is the newest. */
const MAX_OLD_LOGS = 3;

/** Returns the bytes in a log; 0 if the log does not exist. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whether a log is large enough to be rotated. */
export function isTooBig(file: string): boolean {
  return logSize(file) > MAX_LOG_BYTES;
}

/** Frees the name `.1`: renames `.1` to `.2` and `.2` to `.3`, and overwrites the oldest log. */
export function shiftOldLogs(file: string): void {
  for (let age = MAX_OLD_LOGS - 1; age >= 1; age--) {
    const older = `${file}.${age}`;
    if (statSync(older, { throwIfNoEntry: false })) renameSync(older, `${file}.${age + 1}`);
  }
}
