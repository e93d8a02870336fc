import { rename, writeFile } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import { ArchiveDamagedError, formatArchive, parseArchive } from './archive.ts';
import type { Archive } from './archive.ts';
import { mergeKeys, readKeys } from './archived-keys.ts';
import type { Objects } from '../objects/objects.ts';
import { messagesOf } from './record.ts';
import { rollOverUsage, type RolloverReport } from './rollover.ts';
import { readIfExists } from '../ground/files.ts';
import { writeAtomically } from '../ground/write-atomically.ts';

export type ArchiveReport = {
  keys: number;
  /** Archived keys that are missing in Redis. */
  lost: number;
  /** An error message for each broken record. The archive keeps its earlier record of that key. */
  broken: string[];
};

/** Jobs that process all keys. Each job can safely run twice. */
export type Keyring = {
  rollOver: () => Promise<RolloverReport>;
  archive: () => Promise<ArchiveReport>;
};

export type KeyringDeps = {
  redis: Redis;
  archiveFile: string;
  now: () => Date;
  /** Storage shared by all machines, for a second copy of the archive. */
  objects?: Pick<Objects, 'read' | 'put'>;
};

/** Name of the archive in the shared storage. */
const ARCHIVE_OBJECT = 'archive/keys.jsonl';

/** Creates the keyring for a Redis and an archive file. */
export function createKeyring({ redis, archiveFile, now, objects }: KeyringDeps): Keyring {
  return {
    rollOver: () => rollOverUsage(redis, now()),
    archive: async () => {
      const at = now();
      const localKeys = (await readUsableArchive(archiveFile))?.keys ?? [];
      const archived = mergeKeys(localKeys, (await readSharedArchive(objects))?.keys ?? []);
      const { keys: current, broken } = await readKeys(redis, at);
      const keys = mergeKeys(archived, current);
      const text = formatArchive({ archivedAt: at.toISOString(), keys });
      // Mode 0600: other users of this machine must not see the keys' owners and usage.
      await writeAtomically(archiveFile, (temporary) =>
        writeFile(temporary, text, { mode: 0o600 }),
      );
      await objects?.put(ARCHIVE_OBJECT, Buffer.from(text));
      const knownHashes = new Set([...broken.keys(), ...current.map(({ hash }) => hash)]);
      const lost = keys.filter(({ hash }) => !knownHashes.has(hash)).length;
      return { keys: keys.length, lost, broken: messagesOf(broken) };
    },
  };
}

/** Reads the archive file; undefined if it does not exist. Throws `ArchiveDamagedError`. */
export async function readArchive(archiveFile: string): Promise<Archive | undefined> {
  const text = await readIfExists(archiveFile);
  return text && parseArchive(text.toString());
}

/**
 * Reads the archive in the shared storage; undefined if missing or damaged. The next archive replaces a damaged
 * archive.
 */
export async function readSharedArchive(
  objects: Pick<Objects, 'read'> | undefined,
): Promise<Archive | undefined> {
  const text = await objects?.read(ARCHIVE_OBJECT);
  try {
    return text && parseArchive(text.toString());
  } catch (error) {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    return undefined;
  }
}

/** Reads the archive file. Renames a damaged file, so that archiving continues. */
async function readUsableArchive(archiveFile: string): Promise<Archive | undefined> {
  try {
    return await readArchive(archiveFile);
  } catch (error) {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    await rename(archiveFile, `${archiveFile}.damaged`);
    return undefined;
  }
}
