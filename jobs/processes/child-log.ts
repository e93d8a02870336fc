import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_OUTPUT_LENGTH = 300;

/** Returns the log file of a child, and creates its folder. Renames a large former log to `.1`. */
export function childLogFile(dataDir: string, name: string): string {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  if (isTooBig(file)) {
    shiftOldLogs(file);
    renameSync(file, `${file}.1`);
  }
  return file;
}

/**
 * Returns, as `: line`, the last line that a child printed after byte `from` of its log. Returns an empty text if the
 * child printed nothing.
 */
export function lastOutput(file: string, from: number): string {
  const output = readFileSync(file).subarray(from).toString('utf8').trim();
  const errors = output.split('\n').filter((line) => !/^\s+at |^Node\.js v|^\s*}?\s*$/.test(line));
  const line = errors.at(-1);
  return line === undefined ? '' : `: ${toMessage(line).slice(0, MAX_OUTPUT_LENGTH)}`;
}

/** Returns the message of a JSON log line. Returns any other line unchanged. */
function toMessage(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ');
  } catch {
    return line.trim();
  }
}

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
