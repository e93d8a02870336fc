import { ArchiveDamagedError } from '../../../warehouse/keyring/archive.ts';
import { restoreKeys } from '../../../warehouse/keyring/keys.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { readArchive } from '../../../warehouse/keyring/keyring.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { moment } from '../status/times.ts';
import { count } from '../tables.ts';

/** Brings archived keys and counts back into Redis. It goes by no queue: callers are being refused meanwhile. */
export async function keysRestore(context: CommandContext): Promise<number> {
  await bringKeysBack(context, dataPaths(context.config.dataDir).archiveFile, { mayLack: false });
  return 0;
}

/** Brings the keys and counts of that archive back, and says how many; where there may be none, that is said too. */
export async function bringKeysBack(
  context: CommandContext,
  archiveFile: string,
  { mayLack }: { mayLack: boolean },
): Promise<void> {
  const archive = await readArchive(archiveFile).catch((error: unknown) => {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    throw new CommandError(`${archiveFile} is damaged: ${error.message}`, { cause: error });
  });
  if (archive === undefined) {
    if (!mayLack) throw new CommandError(`There is no archive yet: ${archiveFile}`);
    context.out.write('Keys    none were archived\n');
    return;
  }
  const session = await openRedis(context.config, 'keys-restore');
  const redis = await connectOnce(session.url, `headwind-keys-restore-${process.pid}`);
  try {
    const { added, changed, same } = await restoreKeys(redis, archive.keys);
    context.out.write(
      `Archive of ${moment(archive.archivedAt)}: ${count(added)} keys brought back, ` +
        `${count(changed)} brought up to date, ${count(same)} as they were.\n`,
    );
  } finally {
    redis.disconnect();
    await session.close();
  }
}
