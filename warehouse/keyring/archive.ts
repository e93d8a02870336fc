import { sha256 } from '../ground/hashes.ts';
import type { ArchivedKey } from './archived-keys.ts';

export type Archive = {
  /** ISO 8601. */
  archivedAt: string;
  keys: ArchivedKey[];
};

/** Version of the format below; archives of another version are not read. */
const FORMAT = 1;

type Seal = { form: number; archivedAt: string; keys: number; sha256: string };

/** An archive was changed after it was written. */
export class ArchiveDamagedError extends Error {
  readonly isFinal = false;
  override readonly name = 'ArchiveDamagedError';
}

/** A damaged archive was replaced. Its content remains under another name. */
export class ArchiveReplacedError extends Error {
  readonly isFinal = true;
  override readonly name = 'ArchiveReplacedError';

  constructor(places: readonly string[]) {
    super(
      `an archive of keys was damaged; a new one is written, and the damaged one is kept as ${places.join(', ')}. ` +
        'Keys that only the damaged one had are missing in the new one',
    );
  }
}

/** Formats an archive: a first line with a hash of the content (the seal), then one line for each key. */
export function formatArchive({ archivedAt, keys }: Archive): string {
  const lines = keys.map((key) => `${JSON.stringify(key)}\n`).join('');
  const seal: Seal = { form: FORMAT, archivedAt, keys: keys.length, sha256: sha256(lines) };
  return `${JSON.stringify(seal)}\n${lines}`;
}

/** Parses an archive. Throws `ArchiveDamagedError` if the content was changed. */
export function parseArchive(text: string): Archive {
  const end = text.indexOf('\n') + 1;
  const lines = text.slice(end);
  const seal = parseSeal(text.slice(0, end));
  if (seal?.form !== FORMAT || seal.archivedAt === undefined) {
    throw new ArchiveDamagedError(
      'its first line is not the seal (format, date and sha256) of an archive',
    );
  }
  if (seal.sha256 !== sha256(lines)) throw new ArchiveDamagedError('its sha256 does not match');
  const keys = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ArchivedKey);
  return { archivedAt: seal.archivedAt, keys };
}

function parseSeal(line: string): Partial<Seal> | undefined {
  try {
    return JSON.parse(line) as Partial<Seal>;
  } catch {
    return undefined;
  }
}
