import { dirname, join, resolve } from 'node:path';
import { writeBackup } from '../../../warehouse/lake/backup.ts';
import { BACKUP_PARTS, type BackupPart } from '../../../warehouse/lake/backup-files.ts';
import { createKeyring } from '../../../warehouse/keyring/keyring.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { allAtHand } from '../lake-at-hand.ts';
import { count, size } from '../tables.ts';

/** Where the parts of a backup are in a data folder. */
export function backupPlaces(paths: DataPaths): Record<BackupPart, string> {
  return {
    lake: paths.lakeDir,
    models: paths.modelsDir,
    archive: dirname(paths.archiveFile),
  };
}

/** Copies lake, models and keys to a folder of their own below `to`, while the service runs. */
export async function backup(
  context: CommandContext,
  { to, codeVersion }: { to: string; codeVersion: string },
): Promise<number> {
  const paths = dataPaths(context.config.dataDir);
  const folder = resolve(to);
  const inside = BACKUP_PARTS.map((part) => backupPlaces(paths)[part]).find((place) =>
    join(folder, '/').startsWith(join(place, '/')),
  );
  if (inside !== undefined) throw new CommandError(`TO=${folder} is inside of what is backed up`);
  await allAtHand(context);
  const keys = await archiveNow(context, paths);
  const now = context.now();
  const report = await writeBackup({ to: folder, from: backupPlaces(paths), codeVersion, now });
  const { files, bytes, copied, damaged } = report;
  context.out.write(
    `Backup  ${report.folder}: ${count(files)} files, ${size(bytes)}, of it ${size(copied)} new; ${keys}\n`,
  );
  if (damaged.length === 0) return 0;
  context.err.write(
    `Damaged in the lake, and so in the backup: ${damaged.join(', ')}. make verify says what helps\n`,
  );
  return 1;
}

/** The archive of the moment; of a Redis that is away, the last one there is. */
async function archiveNow(context: CommandContext, { archiveFile }: DataPaths): Promise<string> {
  let session;
  try {
    session = await openRedis(context.config, 'backup');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.err.write(`${why}; keys and counts as of the last archive\n`);
    return 'keys of the last archive';
  }
  const redis = await connectOnce(session.url, `headwind-backup-${process.pid}`);
  try {
    const keyring = createKeyring({ redis, archiveFile, now: context.now });
    const { keys, broken } = await keyring.archive();
    context.err.write(
      broken.map((why) => `As of an earlier archive, if there is one: ${why}\n`).join(''),
    );
    return `${count(keys)} keys with their counts`;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
