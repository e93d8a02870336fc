import { mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { publishStore } from '../../../pipelines/features/publish.ts';
import { findModel } from '../../../pipelines/model/released-model.ts';
import type { Progress } from '../../../warehouse/progress.ts';
import { rebuildWarehouse } from '../../../warehouse/build/rebuild.ts';
import { withWarehouse } from '../../../warehouse/build/warehouse.ts';
import { sum } from '../../../warehouse/ground/numbers.ts';
import { withTemporary } from '../../../warehouse/ground/temporary.ts';
import { readArchive } from '../../../warehouse/keyring/keyring.ts';
import {
  damagedFiles,
  newestBackup,
  readBackup,
  type BackupManifest,
} from '../../../warehouse/lake/backup-files.ts';
import { restorePart } from '../../../warehouse/lake/restore-backup.ts';
import { dataPaths, type DataPaths } from '../../../warehouse/paths.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';
import { withFlightOdds } from '../../../warehouse/store/pack.ts';
import type { JobsConfig } from '../../config.ts';
import { findDiskShortage } from '../../processes/disk-space.ts';
import type { MaintenanceReport } from '../../queue/handlers.ts';
import { count, countOf } from '../tables.ts';
import { compareAnswers } from './compare-answers.ts';
import { isComparable } from './comparable.ts';

/** The drill found a problem. The message names the backup. */
class DrillFailedError extends Error {
  readonly isFinal = true;
  override readonly name = 'DrillFailedError';
}

/**
 * Restores the newest backup into a scratch folder, rebuilds the warehouse, makes a store and compares its answers with
 * the running store. Always removes the scratch folder. If the drill is killed, the next worker removes the folder.
 * Redis, keys and the running store do not change.
 */
export async function runDrill(
  config: JobsConfig,
  codeVersion: string,
  progress: Progress,
): Promise<MaintenanceReport> {
  const { dataDir, backupTo, minFreeBytes } = config;
  if (backupTo === undefined) throw new DrillFailedError('BACKUP_TO is not set');
  const folder = await newestBackup(backupTo);
  if (folder === undefined) return { summary: `no backup in ${backupTo} yet` };
  const startedAt = performance.now();
  const name = basename(folder);
  const manifest = await readBackup(folder);
  const damaged = await damagedFiles(folder, manifest);
  if (damaged.length > 0) {
    throw new DrillFailedError(
      `${name} is damaged: ${countOf(damaged.length, 'file')}, for example ${damaged[0]}`,
    );
  }
  const paths = dataPaths(dataDir);
  const needBytes = await scratchBytes(manifest, paths);
  const shortage = await findDiskShortage(dataDir, minFreeBytes, needBytes);
  if (shortage !== undefined) throw new DrillFailedError(`${name} was not restored: ${shortage}`);
  const running = { folder, manifest, paths, codeVersion };
  const result = await withTemporary(dataDir, (scratch) =>
    restoreAndCompare(running, dataPaths(scratch), progress),
  );
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return { summary: `${name} restored in ${seconds} s: ${result}` };
}

type Restored = {
  folder: string;
  manifest: BackupManifest;
  /** Paths of the running service. */
  paths: DataPaths;
  codeVersion: string;
};

async function restoreAndCompare(
  { folder, manifest, paths, codeVersion }: Restored,
  scratch: DataPaths,
  progress: Progress,
): Promise<string> {
  await mkdir(join(scratch.lakeDir, '..'), { recursive: true });
  const target = (place: string) => ({ place, now: new Date() });
  await restorePart(folder, manifest, 'models', target(scratch.modelsDir));
  await restorePart(folder, manifest, 'lake', target(scratch.lakeDir));
  const archive = await readArchive(join(folder, 'archive', basename(paths.archiveFile)));
  const keys = countOf(archive?.keys.length ?? 0, 'key');
  const running = await readFromDisk(paths.storeDir);
  // Uses the build time of the running store, so that an equal lake gives equal answers.
  const now = () => (running ? new Date(running.manifest.builtAt) : new Date());
  const { months } = await rebuildWarehouse(scratch, now, progress);
  const restored = await makeStore(scratch, now, progress);
  const opened = `${countOf(months.length, 'month')}, ${keys}`;
  if (!running) return `${opened}; no store to compare with`;
  const { compared, equal, example } = compareAnswers(running, restored);
  const answers = `${count(equal)} of ${count(compared)} answers equal`;
  const difference = await isComparable({ paths, scratch, running, restored, codeVersion });
  if (equal < compared && difference === undefined) {
    throw new DrillFailedError(`${basename(folder)}: only ${answers}, for example ${example}`);
  }
  return `${opened}, ${answers}${equal < compared ? ` (${difference})` : ''}`;
}

/** Returns the store that a publish of the restored data would write. */
async function makeStore(
  paths: DataPaths,
  now: () => Date,
  progress: Progress,
): Promise<StoreFiles> {
  let made: StoreFiles | undefined;
  await publishStore(
    {
      withWarehouse: (work) => withWarehouse(paths, work),
      now,
      saveStore: async (store) => {
        made = store;
        return store.manifest.version;
      },
      releasedModel: () => findModel(paths.modelsDir),
      openStore,
      withFlightOdds,
    },
    progress,
  );
  if (made === undefined) {
    throw new DrillFailedError('no store could be built from the restored data');
  }
  return made;
}

/** Returns the bytes that a drill needs: the files of the backup, and a DuckDB file as large as the present one. */
async function scratchBytes({ files }: BackupManifest, paths: DataPaths): Promise<number> {
  const warehouse = await stat(paths.warehouseFile).catch(() => undefined);
  return sum(files.map(({ bytes }) => bytes)) + (warehouse?.size ?? 0);
}
