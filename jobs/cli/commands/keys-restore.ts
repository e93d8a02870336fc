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
  const { archiveFile } = dataPaths(context.config.dataDir);
  const archive = await readArchive(archiveFile).catch((error: unknown) => {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    throw new CommandError(`${archiveFile} is damaged: ${error.message}`, { cause: error });
  });
  if (archive === undefined) throw new CommandError(`There is no archive yet: ${archiveFile}`);
  const session = await openRedis(context.config, 'keys-restore');
  const redis = await connectOnce(session.url, `headwind-keys-restore-${process.pid}`);
  try {
    const { added, changed, same } = await restoreKeys(redis, archive.keys);
    context.out.write(
      `Archive of ${moment(archive.archivedAt)}: ${count(added)} keys brought back, ` +
        `${count(changed)} brought up to date, ${count(same)} as they were.\n`,
    );
    return 0;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
