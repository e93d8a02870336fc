import { basename, join, resolve } from 'node:path';
import type { RebuildReport } from '../../../warehouse/build/reports.ts';
import {
  damagedFiles,
  newestBackup,
  readBackup,
  type BackupManifest,
} from '../../../warehouse/lake/backup-files.ts';
import { partsToRestore, restorePart } from '../../../warehouse/lake/restore-backup.ts';
import { monthsIn } from '../../../warehouse/lake/lake.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { countWorkers, openQueues } from '../../queue/queues.ts';
import { requestStep } from '../../queue/requests.ts';
import { withJobs } from '../session.ts';
import { count } from '../tables.ts';
import { moment } from '../status/times.ts';
import { backupPlaces } from './backup.ts';
import { tellBuild } from './features.ts';
import { keysOfBackup } from './keys-restore.ts';
import { replaceLake } from '../../../warehouse/lake/shared/shared-lake.ts';
import { openObjects } from '../../../warehouse/objects/open.ts';
import { openShelf, sharedOptions } from '../../wiring/lake-home.ts';
import { lakeAtHand, withRedis } from '../lake-at-hand.ts';
import { publishStore, tellPublished } from './publish.ts';

export type RestoreBackupRequest = {
  /** A backup, or a folder of backups: then the newest. */
  from: string;
  /** Also where there is a lake with months: it is set aside. */
  force: boolean;
};

/**
 * Brings lake, models, keys and counts back from a backup, makes the warehouse anew and publishes. A lake with months, and
 * the models beside it, stay as they are unless forced, or left half moved. Whatever ends it half-way, the same command
 * goes on.
 */
export async function restoreBackup(
  context: CommandContext,
  { from, force }: RestoreBackupRequest,
): Promise<number> {
  const paths = dataPaths(context.config.dataDir);
  const folder = await newestBackup(resolve(from));
  if (folder === undefined) throw new CommandError(`There is no backup in ${resolve(from)}`);
  const manifest = await readBackup(folder);
  context.out.write(
    `Backup  ${folder} of ${moment(manifest.madeAt)}, ${count(manifest.files.length)} files\n`,
  );
  const damaged = await damagedFiles(folder, manifest);
  if (damaged.length > 0) {
    throw new CommandError(
      `Nothing was restored: ${count(damaged.length)} files are not what was written, ${damaged[0]} for one. Take another backup`,
    );
  }
  await restoreFiles(context, { paths, folder, manifest, force });
  await keysOfBackup(context, join(folder, 'archive', basename(paths.archiveFile)));
  return withJobs(context, 'restore-backup', async (session) => {
    const { queues, follow } = session;
    const report = await follow<RebuildReport>(await requestStep(queues, 'rebuild'), 'rebuild');
    const { months, flights } = report;
    context.out.write(`Rebuilt ${count(months.length)} months, ${count(flights)} flights\n`);
    const code = tellBuild(context, report);
    if (code === 0) tellPublished(context, await publishStore(session));
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
  // What is to be replaced need not be at hand: one that ended half-way goes on.
  if (!force) await lakeAtHand(context);
  const held = [...(await monthsIn(lakeDir, 'flights')), ...(await monthsIn(lakeDir, 'levels'))];
  const places = backupPlaces(paths);
  const parts = await partsToRestore(places, force || held.length === 0);
  const hasLake = parts.includes('lake');
  if (!hasLake) {
    context.out.write(`Lake    stays: it has ${count(held.length)} months; FORCE=1 replaces it\n`);
  }
  if (parts.length === 0) return;
  await refuseWorkers(context);
  for (const part of parts) {
    const where = { place: places[part], now: context.now() };
    const { files, setAside } = await restorePart(folder, manifest, part, where);
    const aside =
      setAside === undefined
        ? ''
        : `; what was there stays in ${setAside}; to delete it: ${removal(setAside)}`;
    context.out.write(`${part === 'lake' ? 'Lake  ' : 'Models'}  ${count(files)} files${aside}\n`);
  }
  const { lake } = context.config;
  if (!lake) return;
  await withRedis(context, async (redis) => {
    await openShelf(context.config, lake, redis).replace();
    if (!hasLake) return;
    const { units } = await replaceLake(sharedOptions(context.config, lake, redis));
    context.out.write(`Lake    ${count(units)} months given to ${openObjects(lake).place}\n`);
  });
}

/** The command that deletes a folder. */
export function removal(folder: string): string {
  return `rm -r '${folder.replaceAll("'", String.raw`'\''`)}'`;
}

/** A job that has files of the lake open would go on with those that are set aside. */
async function refuseWorkers({ config }: CommandContext): Promise<void> {
  const session = await openRedis(config, 'restore-backup');
  const queues = openQueues(session.url);
  try {
    if ((await countWorkers(queues)) === 0) return;
  } finally {
    await queues.close();
    await session.close();
  }
  throw new CommandError('A worker runs: stop make run, or make worker, and try again');
}
