import { sha256 } from '../ground/sha256.ts';
import type { KeptKey } from './archived-keys.ts';

export type Archive = {
  /** ISO 8601. */
  archivedAt: string;
  keys: KeptKey[];
};

/** Of the form below; another one is not read. */
const FORM = 1;

type Seal = { form: number; archivedAt: string; keys: number; sha256: string };

/** An archive that is not what was written. */
export class ArchiveDamagedError extends Error {
  readonly isFinal = false;
  override readonly name = 'ArchiveDamagedError';
}

/** The text of an archive: a line that seals the others, then a line for each key. */
export function archiveText({ archivedAt, keys }: Archive): string {
  const lines = keys.map((key) => `${JSON.stringify(key)}\n`).join('');
  const seal: Seal = { form: FORM, archivedAt, keys: keys.length, sha256: sha256(lines) };
  return `${JSON.stringify(seal)}\n${lines}`;
}

/** Reads it back; throws `ArchiveDamagedError` when a single bit differs. */
export function parseArchive(text: string): Archive {
  const end = text.indexOf('\n') + 1;
  const lines = text.slice(end);
  const seal = parseSeal(text.slice(0, end));
  if (seal?.form !== FORM || seal.archivedAt === undefined) {
    throw new ArchiveDamagedError('it does not begin like an archive');
  }
  if (seal.sha256 !== sha256(lines)) throw new ArchiveDamagedError('its sha256 differs');
  const keys = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as KeptKey);
  return { archivedAt: seal.archivedAt, keys };
}

function parseSeal(line: string): Partial<Seal> | undefined {
  try {
    return JSON.parse(line) as Partial<Seal>;
  } catch {
    return undefined;
  }
}
