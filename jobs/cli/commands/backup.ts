import { dirname, join, resolve } from 'node:path';
import { writeBackup } from '../../../warehouse/lake/backup.ts';
import { BACKUP_PARTS, type BackupPart } from '../../../warehouse/lake/backup-files.ts';
import { createKeyring } from '../../../warehouse/keyring/keyring.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { fetchWholeLake } from '../lake-refresh.ts';
import { count, size } from '../tables.ts';

/** Returns the folders of a data folder that a backup contains. */
export function backupPlaces(paths: DataPaths): Record<BackupPart, string> {
  return {
    lake: paths.lakeDir,
    models: paths.modelsDir,
    archive: dirname(paths.archiveFile),
  };
}

/** Copies lake, models and keys to a new folder in `to` while the service runs. Returns 1 if a file is damaged. */
export async function backup(
  context: CommandContext,
  { to, codeVersion }: { to: string; codeVersion: string },
): Promise<number> {
  const paths = dataPaths(context.config.dataDir);
  const folder = resolve(to);
  const backedUpFolder = BACKUP_PARTS.map((part) => backupPlaces(paths)[part]).find((place) =>
    join(folder, '/').startsWith(join(place, '/')),
  );
  if (backedUpFolder !== undefined) {
    throw new CommandError(
      `TO=${folder} is inside ${backedUpFolder}, one of the folders that the backup copies`,
    );
  }
  await fetchWholeLake(context);
  const keys = await archiveNow(context, paths);
  const now = context.now();
  const report = await writeBackup({ to: folder, from: backupPlaces(paths), codeVersion, now });
  const { files, bytes, copied, damaged } = report;
  context.out.write(
    `Backup  ${report.folder}: ${count(files)} files, ${size(bytes)} (${size(copied)} new); ${keys}\n`,
  );
  if (damaged.length === 0) return 0;
  context.err.write(
    `Damaged in the lake and in this backup: ${damaged.join(', ')}. For a fix: make verify\n`,
  );
  return 1;
}

/** Writes the archive of the keys now; if Redis is unreachable, the backup uses the last archive. */
async function archiveNow(context: CommandContext, { archiveFile }: DataPaths): Promise<string> {
  let session;
  try {
    session = await openRedis(context.config, 'backup');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.err.write(`${why}; keys and counts are from the last archive\n`);
    return 'keys from the last archive';
  }
  const redis = await connectOnce(session.url, `headwind-backup-${process.pid}`);
  try {
    const keyring = createKeyring({ redis, archiveFile, now: context.now });
    const { keys, broken } = await keyring.archive();
    context.err.write(
      broken
        .map(
          (why) =>
            `For this key the backup has only the record of the last archive, if any: ${why}\n`,
        )
        .join(''),
    );
    return `${count(keys)} keys with their counts`;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
