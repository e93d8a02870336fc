import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { ArchiveDamagedError, formatArchive, parseArchive, type Archive } from './archive.ts';
import { mergeKeys, readKeys, type ArchivedKey } from './archived-keys.ts';
import { compareKeys, type ArchiveComparison } from './lost-keys.ts';
import type { Objects } from '../objects/objects.ts';
import { messagesOf } from './record.ts';
import { rollOverUsage, type RolloverReport } from './rollover.ts';
import { readIfExists } from '../ground/files.ts';
import { writeAtomically } from '../ground/temporary.ts';

export type ArchiveReport = {
  keys: number;
  /** An error message for each broken record. The archive keeps the former record of that key. */
  broken: string[];
  /** The new names of damaged archives that were replaced in this run. */
  damaged: string[];
};

/** Jobs that process all keys. Repeating a job is safe. */
export type Keyring = {
  rollOver: () => Promise<RolloverReport>;
  archive: () => Promise<ArchiveReport>;
  /**
   * Compares Redis with the archive file and with the copy in the shared storage. The copy may have keys that were
   * created on other machines. Throws `ArchiveDamagedError`.
   */
  compare: () => Promise<ArchiveComparison>;
};

export type KeyringDeps = {
  redis: Redis;
  archiveFile: string;
  now: () => Date;
  /** Storage shared by all machines, for a second copy of the archive. */
  objects?: Pick<Objects, 'place' | 'read' | 'put'>;
};

/** Name of the archive in the shared storage. */
const ARCHIVE_OBJECT = 'archive/keys.jsonl';
/** Minimum time between two reads of the shared archive for a comparison, because each read may cost money. */
const SHARED_READ_MS = 5 * 60_000;
const SHARED_PATIENCE_MS = 2_000;
/** Suffix of the name of a damaged archive. */
const DAMAGED = '.damaged';

/** Creates the keyring for a Redis and an archive file. */
export function createKeyring({ redis, archiveFile, now, objects }: KeyringDeps): Keyring {
  const readShared = rememberShared(objects, now);
  return {
    rollOver: () => rollOverUsage(redis, now()),
    archive: async () => {
      const at = now();
      const local = await readKeysOrDamage(archiveFile);
      const shared = await readSharedOrDamage(objects);
      const archived = mergeKeys(local.keys, shared.keys);
      const { keys: current, broken } = await readKeys(redis, at);
      const keys = mergeKeys(archived, current);
      const damaged = [
        ...(local.damagedLines > 0
          ? [await replaceDamaged(archiveFile, local.damagedLines, keys.length)]
          : []),
        ...(objects && shared.damaged ? [await keepDamaged(objects, shared.damaged)] : []),
      ];
      const text = formatArchive({ archivedAt: at.toISOString(), keys });
      // Mode 0600, because other users of this machine must not see the owners of the keys and their usage.
      await writeAtomically(archiveFile, (temporary) =>
        writeFile(temporary, text, { mode: 0o600 }),
      );
      await objects?.put(ARCHIVE_OBJECT, Buffer.from(text));
      return { keys: keys.length, broken: messagesOf(broken), damaged };
    },
    compare: async () => {
      const local = (await readArchive(archiveFile))?.keys ?? [];
      return compareKeys(redis, mergeKeys(await readShared(), local));
    },
  };
}

/**
 * Returns a function that reads the keys of the shared archive at most every five minutes. If the shared storage does
 * not answer in time, the function returns the keys of its last read. Another condition reports that the storage is
 * unavailable.
 */
function rememberShared(
  objects: KeyringDeps['objects'],
  now: () => Date,
): () => Promise<ArchivedKey[]> {
  let keys: ArchivedKey[] = [];
  let readAt = -Infinity;
  const read = async () => {
    readAt = now().getTime();
    keys = (await readSharedOrDamage(objects)).keys;
  };
  return async () => {
    if (objects && now().getTime() - readAt >= SHARED_READ_MS) {
      const patience = sleep(SHARED_PATIENCE_MS, undefined, { ref: false });
      await Promise.race([read().catch(() => undefined), patience]);
    }
    return keys;
  };
}

/** Reads the archive file; undefined if it does not exist. Throws `ArchiveDamagedError`. */
export async function readArchive(archiveFile: string): Promise<Archive | undefined> {
  const text = await readIfExists(archiveFile);
  return text && parseArchive(text.toString());
}

/**
 * Reads the archive in the shared storage; undefined if it is missing or damaged. The next write of the archive
 * replaces a damaged archive, and keeps the damaged one under another name.
 */
export async function readSharedArchive(
  objects: Pick<Objects, 'read'> | undefined,
): Promise<Archive | undefined> {
  return (await readSharedOrDamage(objects)).archive;
}

/** Reads the keys of the archive in the shared storage. If the archive is damaged, returns its bytes. */
async function readSharedOrDamage(
  objects: Pick<Objects, 'read'> | undefined,
): Promise<{ keys: ArchivedKey[]; archive?: Archive; damaged?: Buffer }> {
  const bytes = await objects?.read(ARCHIVE_OBJECT);
  if (bytes === undefined) return { keys: [] };
  try {
    const archive = parseArchive(bytes.toString());
    return { keys: archive.keys, archive };
  } catch (error) {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    return { keys: [], damaged: bytes };
  }
}

/** Writes the bytes of a damaged archive to the shared storage under another name, and returns the place. */
async function keepDamaged(
  objects: Pick<Objects, 'place' | 'put'>,
  bytes: Buffer,
): Promise<string> {
  const name = ARCHIVE_OBJECT + DAMAGED;
  await objects.put(name, bytes);
  return `${objects.place}/${name}`;
}

/** Reads the keys of the archive file. If the file is damaged, returns the number of its lines instead. */
async function readKeysOrDamage(
  archiveFile: string,
): Promise<{ keys: ArchivedKey[]; damagedLines: number }> {
  const text = (await readIfExists(archiveFile))?.toString();
  try {
    return { keys: text === undefined ? [] : parseArchive(text).keys, damagedLines: 0 };
  } catch (error) {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    return { keys: [], damagedLines: text?.split('\n').filter(Boolean).length ?? 0 };
  }
}

/**
 * Renames a damaged archive and returns its new path. Throws if the new archive would have fewer keys: Redis may have
 * lost keys.
 */
async function replaceDamaged(archiveFile: string, lines: number, keys: number): Promise<string> {
  // Subtract 1, because the first line is the seal and not a key.
  if (keys < lines - 1) {
    throw new ArchiveDamagedError(
      `the archive ${archiveFile} is damaged, and is not replaced: it has ${lines - 1} API keys, but Redis has only ${keys}. ` +
        'Stop the workers and run make restore-backup. If the lost keys do not matter, delete the file instead',
    );
  }
  await rename(archiveFile, archiveFile + DAMAGED);
  return archiveFile + DAMAGED;
}
