import { basename, join, resolve } from 'node:path';
import type { RebuildReport } from '../../../warehouse/build/reports.ts';
import {
  copyFile,
  damagedFiles,
  newestBackup,
  readBackup,
  type BackupManifest,
} from '../../../warehouse/lake/backup-files.ts';
import { partsToRestore, restorePart } from '../../../warehouse/lake/restore-backup.ts';
import { listMonths } from '../../../warehouse/lake/lake.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import { signingKeysFile } from '../../../warehouse/live/signing-keys.ts';
import { statIfExists } from '../../../warehouse/ground/files.ts';
import { writeAtomically } from '../../../warehouse/ground/temporary.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { countWorkers, openQueues } from '../../queue/queues.ts';
import { requestStep } from '../../queue/requests.ts';
import { withJobs } from '../session.ts';
import { countOf } from '../tables.ts';
import { moment } from '../../../warehouse/ground/duration.ts';
import { backupPlaces } from '../../wiring/backup-space.ts';
import { damageText } from './backup.ts';
import { printBuild } from './features.ts';
import { restoreBackupKeys } from './keys-restore.ts';
import { replaceLake } from '../../../warehouse/lake/shared/shared-lake.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { openModelRegistry, sharedLakeOptions } from '../../wiring/lake-home.ts';
import { refreshLake, withRedis } from '../lake-refresh.ts';
import { publishStore, printPublished } from './publish.ts';
import type { MaintenanceReport } from '../../queue/handlers.ts';

export type RestoreBackupRequest = {
  /** A backup, or a folder of backups. In a folder of backups, the newest backup is used. */
  from: string;
  /** Whether to replace a lake that has months. The replaced lake is moved to another folder. */
  force: boolean;
};

/**
 * Restores lake, models, keys and counts from a backup, rebuilds the warehouse and publishes. If the lake has months,
 * replaces lake and models only with `force`, or if an earlier restore was interrupted. After an interruption, the same
 * command continues the restore.
 */
export async function restoreBackup(
  context: CommandContext,
  { from, force }: RestoreBackupRequest,
): Promise<number> {
  const paths = dataPaths(context.config.dataDir);
  const folder = await newestBackup(resolve(from));
  if (folder === undefined) throw new CommandError(`No backup found in ${resolve(from)}`);
  const manifest = await readBackup(folder);
  context.out.write(
    `Backup  ${folder} of ${moment(manifest.madeAt)}, ${countOf(manifest.files.length, 'file')}\n`,
  );
  if (manifest.damaged) {
    context.err.write(`At the time of this backup:\n${damageText(manifest.damaged)}`);
  }
  const damaged = await damagedFiles(folder, manifest);
  if (damaged.length > 0) {
    throw new CommandError(
      `Nothing was restored, because ${countOf(damaged.length, 'file')} of this backup failed verification, for example ${damaged[0]}. Restore another backup`,
    );
  }
  await restoreFiles(context, { paths, folder, manifest, force });
  await restoreBackupKeys(context, join(folder, 'archive', basename(paths.archiveFile)));
  await restoreSigningKeys(context, folder);
  return withJobs(context, 'restore-backup', async (session) => {
    const { queues, follow } = session;
    const report = await follow<RebuildReport>(await requestStep(queues, 'rebuild'), 'rebuild');
    const { months, flights } = report;
    context.out.write(
      `Rebuilt ${countOf(months.length, 'month')}, ${countOf(flights, 'flight')}\n`,
    );
    const code = printBuild(context, report);
    if (code === 0) printPublished(context, await publishStore(session));
    return code;
  });
}

async function restoreFiles(
  context: CommandContext,
  {
    paths,
    folder,
    manifest,
    force,
  }: { paths: DataPaths; folder: string; manifest: BackupManifest; force: boolean },
): Promise<void> {
  const { lakeDir } = paths;
  // With `force` the lake is replaced, so its files need not be fetched first.
  if (!force) await refreshLake(context);
  const months = [
    ...(await listMonths(lakeDir, 'flights')),
    ...(await listMonths(lakeDir, 'levels')),
  ];
  const places = backupPlaces(paths);
  const parts = await partsToRestore(places, force || months.length === 0);
  const hasLake = parts.includes('lake');
  if (!hasLake) {
    context.out.write(
      `Lake    unchanged, because it already has ${countOf(months.length, 'month')}; FORCE=1 replaces it\n`,
    );
  }
  if (parts.length === 0) return;
  await refuseWorkers(context);
  for (const part of parts) {
    const target = { place: places[part], now: context.now() };
    const { files, formerFolder } = await restorePart(folder, manifest, part, target);
    const note =
      formerFolder === undefined
        ? ''
        : `; the former files are in ${formerFolder}; to delete them: ${removalCommand(formerFolder)}`;
    context.out.write(
      `${part === 'lake' ? 'Lake  ' : 'Models'}  ${countOf(files, 'file')}${note}\n`,
    );
  }
  const { lake } = context.config;
  if (!lake) return;
  await withRedis(context, async (redis) => {
    await openModelRegistry(context.config, lake, redis).replace();
    if (!hasLake) return;
    const { units } = await replaceLake(sharedLakeOptions(context.config, lake, redis));
    context.out.write(`Lake    ${countOf(units, 'month')} copied to ${openObjects(lake).place}\n`);
  });
}

/** Restores the keys that sign answers, if this machine has no copy of them. The API puts them into Redis at start. */
async function restoreSigningKeys({ config, out }: CommandContext, folder: string): Promise<void> {
  const file = signingKeysFile(config.dataDir);
  const backedUp = join(folder, 'archive', basename(file));
  const has = async (one: string) => (await statIfExists(one)) !== undefined;
  if ((await has(file)) || !(await has(backedUp))) return;
  await writeAtomically(file, async (temporary) => {
    await copyFile(backedUp, temporary);
  });
  out.write('Keys    the signing keys are restored\n');
}

/** Returns the command that deletes a folder. */
export function removalCommand(folder: string): string {
  return `rm -r '${folder.replaceAll("'", String.raw`'\''`)}'`;
}

/** Throws if a worker is running, because the worker's jobs would keep using the files that are moved. */
async function refuseWorkers({ config }: CommandContext): Promise<void> {
  const session = await openRedis(config, 'restore-backup');
  const queues = openQueues(session.url);
  try {
    if ((await countWorkers(queues)) === 0) return;
  } finally {
    await queues.close();
    await session.close();
  }
  throw new CommandError(
    'Nothing was restored, because a worker is running. Stop it (make run or make worker), then try again',
  );
}

/** Requests a restore drill and prints its result. The scheduled drill is the same job. */
export async function restoreDrill(context: CommandContext): Promise<number> {
  const { summary } = await withJobs(context, 'restore-drill', async ({ queues, follow }) =>
    follow<MaintenanceReport>(await requestStep(queues, 'restore-drill'), 'restore drill'),
  );
  context.out.write(`Drill   ${summary}\n`);
  return 0;
}
