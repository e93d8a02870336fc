import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sweep, syncPath } from '../ground/files.ts';
import { sum } from '../ground/numbers.ts';
import {
  copyAll,
  copyFolder,
  linkFolder,
  listLinkableFiles,
  type CopiedFile,
} from './backup-copy.ts';
import {
  listBackups,
  MANIFEST,
  readBackup,
  type BackupManifest,
  type BackupPart,
  type DamagedFolder,
} from './backup-files.ts';
import { sealJson } from './sealed.ts';
import { isSealedFolderIntact, listSealedFolders } from './sealed-folders.ts';

export type BackupReport = {
  folder: string;
  files: number;
  bytes: number;
  copied: number;
  /**
   * Folders that are damaged in the lake. The backup has their last intact copy from an earlier backup, if there is
   * one.
   */
  damaged: DamagedFolder[];
};

export type BackupRequest = {
  /** The folder of all backups; each backup has a subfolder. */
  to: string;
  /** The folders to back up, by part. */
  from: Record<BackupPart, string>;
  codeVersion: string;
  now: Date;
};

/** Name of the folder of an unfinished backup. */
const PARTIAL = /^\.headwind-\d{8}T\d{9}Z\.partial$/;
/**
 * Time between two updates of an unfinished backup. Each update sets the modification time of the backup's folder,
 * which shows that the backup is still running.
 */
const TOUCH_EVERY_MS = 60_000;
/** Age at which an unfinished backup is known to belong to a killed process. */
const LEFTOVER_AFTER_MS = 60 * 60_000;
/** Maximum number of attempts to copy a folder. A month may be replaced during each attempt. */
const ROUNDS = 3;

/**
 * Copies the lake, the models and the keys into a new folder under `to`, while the service runs.
 * A file that is unchanged since the last backup becomes a hard link to that backup, and needs no disk space. Every
 * month of the new backup is verified against its manifest. For a month that is damaged in the lake, the backup links
 * to the last intact copy in an earlier backup. Without an intact copy, the month is left out.
 */
export async function writeBackup({
  to,
  from,
  codeVersion,
  now,
}: BackupRequest): Promise<BackupReport> {
  const name = `headwind-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
  const [folder, partial] = [path.join(to, name), path.join(to, `.${name}.partial`)];
  await mkdir(to, { recursive: true });
  await sweepPartial(to);
  const earlier = (await listBackups(to)).toReversed();
  const touching = setInterval(() => void touch(partial), TOUCH_EVERY_MS);
  try {
    return await writeWhole({ from, codeVersion, now }, { earlier, partial, folder });
  } finally {
    clearInterval(touching);
    // After a successful backup, the folder has its final name, so `rm` finds nothing to remove.
    await rm(partial, { recursive: true, force: true });
  }
}

type Places = {
  /** Earlier backups, newest first. */
  earlier: string[];
  partial: string;
  folder: string;
};

async function writeWhole(
  { from, codeVersion, now }: Omit<BackupRequest, 'to'>,
  { earlier, partial, folder }: Places,
): Promise<BackupReport> {
  await rm(partial, { recursive: true, force: true });
  const [previous] = earlier;
  const linkable = previous ? await listLinkableFiles(previous) : new Map<string, string>();
  const all = await copyAll(from, partial, linkable);
  const { files, damaged } = await replaceDamaged(all, from.lake, { partial, earlier });
  const manifest: BackupManifest = {
    madeAt: now.toISOString(),
    codeVersion,
    files: files.map(({ isCopied: _, ...file }) => file),
    ...(damaged.length > 0 && { damaged }),
  };
  await writeFile(path.join(partial, MANIFEST), sealJson(manifest));
  await syncPath(path.join(partial, MANIFEST));
  await rename(partial, folder);
  await syncPath(path.dirname(folder));
  const copied = sum(files.filter(({ isCopied }) => isCopied).map(({ bytes }) => bytes));
  const bytes = sum(files.map((file) => file.bytes));
  return { folder, files: files.length, bytes, copied, damaged };
}

/**
 * Copies each damaged folder again: a job may have replaced its month during the copy, or a linked file may be damaged.
 * A folder that is still damaged is taken from the newest earlier backup in which it is intact, or left out. All other
 * files remain unchanged.
 */
async function replaceDamaged(
  all: CopiedFile[],
  lakeDir: string,
  { partial, earlier }: Omit<Places, 'folder'>,
): Promise<{ files: CopiedFile[]; damaged: DamagedFolder[] }> {
  let files = all;
  const replaceFolder = (folder: string, copies: CopiedFile[]) => {
    const others = files.filter((file) => !file.path.startsWith(`lake/${folder}/`));
    files = [...others, ...copies];
  };
  const isIntact = (folder: string) => isSealedFolderIntact(path.join(partial, 'lake', folder));
  let folders: string[] = await findDamaged(path.join(partial, 'lake'));
  for (let round = 2; round <= ROUNDS; round += 1) {
    const remaining: string[] = [];
    for (const folder of folders) {
      const copies = await copyFolder(lakeDir, partial, folder);
      replaceFolder(folder, copies);
      // If no files remain, the month was removed during the backup.
      if (copies.length > 0 && !(await isIntact(folder))) remaining.push(folder);
    }
    folders = remaining;
  }
  const damaged: DamagedFolder[] = [];
  for (const folder of folders) {
    const backup = await findIntactCopy(earlier, folder);
    await rm(path.join(partial, 'lake', folder), { recursive: true, force: true });
    const copies = backup
      ? await linkFolder(backup, await readBackup(backup), partial, folder)
      : [];
    replaceFolder(folder, copies);
    damaged.push({ folder, ...(backup !== undefined && { instead: path.basename(backup) }) });
  }
  return { files, damaged };
}

async function findDamaged(lakeDir: string): Promise<string[]> {
  const damaged: string[] = [];
  for (const folder of await listSealedFolders(lakeDir)) {
    if (!(await isSealedFolderIntact(path.join(lakeDir, folder)))) damaged.push(folder);
  }
  return damaged;
}

async function findIntactCopy(backups: string[], folder: string): Promise<string | undefined> {
  for (const backup of backups) {
    if (await isSealedFolderIntact(path.join(backup, 'lake', folder))) return backup;
  }
  return undefined;
}

async function touch(folder: string): Promise<void> {
  const now = new Date();
  // The folder does not exist between two rounds of copying, so errors are ignored.
  await utimes(folder, now, now).catch(() => undefined);
}

/** Removes unfinished backups of killed processes. */
async function sweepPartial(to: string): Promise<void> {
  const keep = (await readdir(to)).filter((name) => !PARTIAL.test(name));
  await sweep(to, new Set(keep), new Date(Date.now() - LEFTOVER_AFTER_MS));
}
