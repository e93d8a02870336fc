import { rename, writeFile } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import { ArchiveDamagedError, archiveText, parseArchive } from './archive.ts';
import type { Archive } from './archive.ts';
import { mergeKeys, readKeys } from './archived-keys.ts';
import type { Objects } from '../objects/objects.ts';
import { messagesOf } from './record.ts';
import { rollOverUsage, type RolloverReport } from './rollover.ts';
import { readIfThere } from '../ground/files.ts';
import { intoPlace } from '../ground/into-place.ts';

export type ArchiveReport = {
  keys: number;
  /** Archived keys that Redis does not know: it lost them. */
  lost: number;
  /** Of each key whose record makes no sense: what of it. The archive keeps what it had of the key. */
  broken: string[];
};

/** What jobs do with the keys; each is safe to run twice. */
export type Keyring = {
  rollOver: () => Promise<RolloverReport>;
  archive: () => Promise<ArchiveReport>;
};

export type KeyringDeps = {
  redis: Redis;
  archiveFile: string;
  now: () => Date;
  /** Where the archive is kept besides, for all machines. */
  objects?: Pick<Objects, 'read' | 'put'>;
};

/** The name of the archive there. */
const ARCHIVE_OBJECT = 'archive/keys.jsonl';

/** The keys of that Redis, archived to that file. */
export function createKeyring({ redis, archiveFile, now, objects }: KeyringDeps): Keyring {
  return {
    rollOver: () => rollOverUsage(redis, now()),
    archive: async () => {
      const at = now();
      const own = (await usableArchive(archiveFile))?.keys ?? [];
      const archived = mergeKeys(own, (await archiveIn(objects))?.keys ?? []);
      const { keys: current, broken } = await readKeys(redis, at);
      const keys = mergeKeys(archived, current);
      const text = archiveText({ archivedAt: at.toISOString(), keys });
      // Other users of this machine must not read whose keys there are, or how much they are used.
      await intoPlace(archiveFile, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
      await objects?.put(ARCHIVE_OBJECT, Buffer.from(text));
      const known = new Set([...broken.keys(), ...current.map(({ hash }) => hash)]);
      const lost = keys.filter(({ hash }) => !known.has(hash)).length;
      return { keys: keys.length, lost, broken: messagesOf(broken) };
    },
  };
}

/** The archive; undefined when there is none yet. Throws `ArchiveDamagedError`. */
export async function readArchive(archiveFile: string): Promise<Archive | undefined> {
  const text = await readIfThere(archiveFile);
  return text && parseArchive(text.toString());
}

/** The archive that is kept for all machines; one that is damaged is as none, as the next takes its place. */
export async function archiveIn(
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

/** A damaged archive is set aside: archiving must go on. */
async function usableArchive(archiveFile: string): Promise<Archive | undefined> {
  try {
    return await readArchive(archiveFile);
  } catch (error) {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    await rename(archiveFile, `${archiveFile}.damaged`);
    return undefined;
  }
}
