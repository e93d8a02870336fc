import { join, resolve } from 'node:path';
import { writeBackup, type BackupReport } from '../../../warehouse/lake/backup.ts';
import {
  BACKUP_PARTS,
  pruneBackups,
  type DamagedFolder,
} from '../../../warehouse/lake/backup-files.ts';
import { createKeyring } from '../../../warehouse/keyring/keyring.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { backupPlaces, findBackupShortage } from '../../wiring/backup-space.ts';
import { fetchWholeLake } from '../lake-refresh.ts';
import { countOf, size } from '../tables.ts';

/** Parts of the command context that a backup uses. */
export type BackupContext = Pick<CommandContext, 'config' | 'now'> & {
  err: { write: (text: string) => void };
};

/** The report of a backup, and the older backups that were removed. */
export type BackupResult = BackupReport & { keys: string; removed: string[] };

/**
 * Copies lake, models and keys to a new folder in `to`, by default `BACKUP_TO`, while the service runs. Returns 1 if a
 * file is damaged.
 */
export async function backup(
  context: CommandContext,
  { to, codeVersion }: { to?: string; codeVersion: string },
): Promise<number> {
  const result = await makeBackup(context, to ?? context.config.backupTo, codeVersion);
  context.out.write(`Backup  ${backupText(result)}\n`);
  if (result.removed.length > 0) context.out.write(`Removed ${result.removed.join(', ')}\n`);
  if (result.damaged.length === 0) return 0;
  context.err.write(`${damageText(result.damaged)}For a fix: make verify\n`);
  return 1;
}

/** Describes a backup in one line. */
export function backupText({ folder, files, bytes, copied, keys }: BackupResult): string {
  return `${folder}: ${countOf(files, 'file')}, ${size(bytes)} (${size(copied)} new); ${keys}`;
}

/**
 * Makes a backup in `to`. If `to` is the folder of the scheduled backups, also removes the backups that the retention
 * does not cover. Removes none while the lake is damaged.
 */
export async function makeBackup(
  context: BackupContext,
  to: string | undefined,
  codeVersion: string,
): Promise<BackupResult> {
  const { backupTo, retention, dataDir } = context.config;
  if (to === undefined) {
    throw new CommandError(
      'TO is missing, and BACKUP_TO is not set. Example: make backup TO=/backups',
    );
  }
  const paths = dataPaths(dataDir);
  const folder = resolve(to);
  const backedUpFolder = BACKUP_PARTS.map((part) => backupPlaces(paths)[part]).find((place) =>
    join(folder, '/').startsWith(join(place, '/')),
  );
  if (backedUpFolder !== undefined) {
    throw new CommandError(
      `TO=${folder} is inside ${backedUpFolder}, which is itself backed up. Choose another folder`,
    );
  }
  await fetchWholeLake(context);
  const shortage = await findBackupShortage(folder, context.config);
  if (shortage !== undefined) throw new CommandError(`No backup was made: ${shortage}`);
  const keys = await archiveNow(context, paths);
  const now = context.now();
  const report = await writeBackup({ to: folder, from: backupPlaces(paths), codeVersion, now });
  const isPruned = folder === backupTo && report.damaged.length === 0;
  return { ...report, keys, removed: isPruned ? await pruneBackups(folder, retention) : [] };
}

/** Describes the damaged folders of the lake, and what the backup contains in their place. */
export function damageText(damaged: readonly DamagedFolder[]): string {
  const lines = damaged.map(({ folder, instead }) =>
    instead === undefined
      ? `Damaged in the lake: ${folder}. No backup has a good copy, so this backup leaves the folder out\n`
      : `Damaged in the lake: ${folder}. This backup has the last good copy, from ${instead}\n`,
  );
  return lines.join('');
}

/** Writes the archive of the keys now. If Redis is unreachable, the backup uses the last archive. */
async function archiveNow(context: BackupContext, { archiveFile }: DataPaths): Promise<string> {
  let session;
  try {
    session = await openRedis(context.config, 'backup');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.err.write(`${why}; the backup has the keys and counts of the last archive\n`);
    return 'keys from the last archive';
  }
  const redis = await connectOnce(session.url, `headwind-backup-${process.pid}`);
  try {
    const keyring = createKeyring({ redis, archiveFile, now: context.now });
    const { keys, broken, damaged } = await keyring.archive();
    const lines = [
      ...broken.map(
        (why) =>
          `This key could not be backed up: ${why}. If the last archive has the key, the backup has that copy.\n`,
      ),
      ...damaged.map(
        (place) => `The archive of keys was damaged; the damaged file is now ${place}\n`,
      ),
    ];
    context.err.write(lines.join(''));
    return `${countOf(keys, 'key')} with their counts`;
  } finally {
    redis.disconnect();
    await session.close();
  }
}
