import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isBig, makeRoom } from './log-size.ts';

const WORDS_LENGTH = 300;

/** The log file of a child, its folder made; a big one from before is set aside as `.1`. */
export function childLogFile(dataDir: string, name: string): string {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  if (isBig(file)) {
    makeRoom(file);
    renameSync(file, `${file}.1`);
  }
  return file;
}

/** What a child printed last since the log was `from` bytes long, as `: words`; empty when it said nothing. */
export function lastWords(file: string, from: number): string {
  const said = readFileSync(file).subarray(from).toString('utf8').trim();
  const errors = said.split('\n').filter((line) => !/^\s+at |^Node\.js v|^\s*}?\s*$/.test(line));
  const line = errors.at(-1);
  return line === undefined ? '' : `: ${plain(line).slice(0, WORDS_LENGTH)}`;
}

/** A JSON log line becomes its message. */
function plain(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [msg, err?.message].filter(Boolean).join(': ');
  } catch {
    return line.trim();
  }
}
