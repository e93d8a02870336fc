import { ArchiveDamagedError, type Archive } from '../../../warehouse/keyring/archive.ts';
import { mergeKeys, restoreKeys } from '../../../warehouse/keyring/archived-keys.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { CommandError } from '../../errors.ts';
import { archiveIn, readArchive } from '../../../warehouse/keyring/keyring.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { moment } from '../status/times.ts';
import { count } from '../tables.ts';

/** Brings archived keys and counts back into Redis. It goes by no queue: callers are being refused meanwhile. */
export async function keysRestore(context: CommandContext): Promise<number> {
  const { archiveFile } = dataPaths(context.config.dataDir);
  const { lake } = context.config;
  const archives = [
    await archiveOf(archiveFile),
    await archiveIn(lake && openObjects(lake)),
  ].filter((one) => one !== undefined);
  const archive = newestOf(archives);
  if (archive === undefined) throw new CommandError(`There is no archive yet: ${archiveFile}`);
  return bringKeysBack(context, archive);
}

/** Brings the keys and counts of a backup back, and what this machine's own archive knows of them or besides. */
export async function keysOfBackup(context: CommandContext, archiveFile: string): Promise<void> {
  const backedUp = await archiveOf(archiveFile);
  const own = await archiveOf(dataPaths(context.config.dataDir).archiveFile).catch(
    (error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      context.err.write(`${error.message}; keys and counts are those of the backup alone\n`);
      return undefined;
    },
  );
  if (backedUp === undefined && own === undefined) {
    context.out.write('Keys    none were archived\n');
    return;
  }
  const archives = [backedUp, own].filter((one) => one !== undefined);
  await bringKeysBack(context, newestOf(archives) ?? { archivedAt: '', keys: [] });
}

/** What several archives know together, of the time of the newest. */
function newestOf(archives: Archive[]): Archive | undefined {
  const [first, ...others] = archives;
  return others.reduce(
    (one, other) =>
      one && {
        archivedAt: [one.archivedAt, other.archivedAt].toSorted().at(-1) ?? '',
        keys: mergeKeys(one.keys, other.keys),
      },
    first,
  );
}

async function archiveOf(archiveFile: string): Promise<Archive | undefined> {
  return readArchive(archiveFile).catch((error: unknown) => {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    throw new CommandError(`${archiveFile} is damaged: ${error.message}`, { cause: error });
  });
}

/** 1 when a key could not be brought back. */
async function bringKeysBack(context: CommandContext, archive: Archive): Promise<number> {
  const session = await openRedis(context.config, 'keys-restore');
  const redis = await connectOnce(session.url, `headwind-keys-restore-${process.pid}`);
  try {
    const { added, changed, same, broken } = await restoreKeys(redis, archive.keys);
    context.out.write(
      `Archive of ${moment(archive.archivedAt)}: ${count(added)} keys brought back, ` +
        `${count(changed)} brought up to date, ${count(same)} as they were.\n`,
    );
    context.err.write(broken.map((why) => `Not brought back: ${why}\n`).join(''));
    return broken.length === 0 ? 0 : 1;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
