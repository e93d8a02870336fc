import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { BackupPart } from '../../warehouse/lake/backup-files.ts';
import { dataPaths, type DataPaths } from '../../warehouse/paths.ts';
import { findDiskShortage } from '../processes/disk-space.ts';
import { measureBackup } from '../../warehouse/lake/backup-copy.ts';

/** Bytes for the manifest of a backup and for folders. */
const SMALL_FILES = 4_000_000;

/** Returns the folders of a data folder that a backup contains. */
export function backupPlaces(paths: DataPaths): Record<BackupPart, string> {
  return {
    lake: paths.lakeDir,
    models: paths.modelsDir,
    archive: dirname(paths.archiveFile),
  };
}

/**
 * Describes why the disk of `to` has too little space for a backup; undefined if the space is enough. If `to` is on the
 * disk of the data folder, the backup must leave `minFreeBytes` free, because Redis and other jobs also need space
 * there.
 */
export async function findBackupShortage(
  to: string,
  { dataDir, minFreeBytes }: { dataDir: string; minFreeBytes: number },
): Promise<string | undefined> {
  const needBytes = SMALL_FILES + (await measureBackup(to, backupPlaces(dataPaths(dataDir))));
  const folder = await existingFolder(to);
  const isDataDisk = (await stat(folder)).dev === (await stat(dataDir)).dev;
  return findDiskShortage(folder, isDataDisk ? minFreeBytes : 0, needBytes);
}

/** Returns the folder, or the nearest folder above it that exists. */
async function existingFolder(folder: string): Promise<string> {
  const stats = await stat(folder).catch(() => undefined);
  return stats ? folder : existingFolder(dirname(folder));
}
