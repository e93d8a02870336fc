import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isTooBig, shiftOldLogs } from './log-size.ts';

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

/** Returns the message of a JSON log line, or the line itself. */
function toMessage(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ');
  } catch {
    return line.trim();
  }
}
