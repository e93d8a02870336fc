import { ArchiveDamagedError, type Archive } from '../../../warehouse/keyring/archive.ts';
import { mergeKeys, restoreKeys } from '../../../warehouse/keyring/archived-keys.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { CommandError } from '../../errors.ts';
import { readSharedArchive, readArchive } from '../../../warehouse/keyring/keyring.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { moment } from '../../../warehouse/ground/duration.ts';
import { count, countOf } from '../tables.ts';

/**
 * Restores archived keys and counts into Redis. Does not use the queue, because the restore must not wait for other
 * jobs: the API refuses callers until their keys are restored.
 */
export async function keysRestore(context: CommandContext): Promise<number> {
  const { archiveFile } = dataPaths(context.config.dataDir);
  const { lake } = context.config;
  const archives = [
    await readArchiveFile(archiveFile),
    await readSharedArchive(lake && openObjects(lake)),
  ].filter((file) => file !== undefined);
  const archive = mergeArchives(archives);
  if (archive === undefined) {
    throw new CommandError(`Nothing was restored: the archive ${archiveFile} does not exist`);
  }
  return restoreArchive(context, archive);
}

/** Restores the keys and counts of a backup, merged with the keys and counts in this machine's own archive. */
export async function restoreBackupKeys(
  context: CommandContext,
  archiveFile: string,
): Promise<void> {
  const backedUp = await readArchiveFile(archiveFile);
  const own = await readArchiveFile(dataPaths(context.config.dataDir).archiveFile).catch(
    (error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      context.err.write(`${error.message}; only the keys and counts of the backup are restored\n`);
      return undefined;
    },
  );
  if (backedUp === undefined && own === undefined) {
    context.out.write('Keys    not restored: there is no archive\n');
    return;
  }
  const archives = [backedUp, own].filter((file) => file !== undefined);
  await restoreArchive(context, mergeArchives(archives) ?? { archivedAt: '', keys: [] });
}

/** Merges archives; the result has the time of the newest archive. */
function mergeArchives(archives: Archive[]): Archive | undefined {
  const [first, ...rest] = archives;
  return rest.reduce(
    (merged, other) =>
      merged && {
        archivedAt: [merged.archivedAt, other.archivedAt].toSorted().at(-1) ?? '',
        keys: mergeKeys(merged.keys, other.keys),
      },
    first,
  );
}

async function readArchiveFile(archiveFile: string): Promise<Archive | undefined> {
  return readArchive(archiveFile).catch((error: unknown) => {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    throw new CommandError(`${archiveFile} is damaged: ${error.message}`, { cause: error });
  });
}

/** Restores the keys of an archive. Returns 1 if a key could not be restored. */
async function restoreArchive(context: CommandContext, archive: Archive): Promise<number> {
  const session = await openRedis(context.config, 'keys-restore');
  const redis = await connectOnce(session.url, `headwind-keys-restore-${process.pid}`);
  try {
    const { added, changed, same: unchanged, broken } = await restoreKeys(redis, archive.keys);
    context.out.write(
      `Archive of ${moment(archive.archivedAt)}: ${countOf(added, 'key')} restored, ` +
        `${count(changed)} updated, ${count(unchanged)} unchanged.\n`,
    );
    context.err.write(broken.map((why) => `Not restored: ${why}\n`).join(''));
    return broken.length === 0 ? 0 : 1;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
