import type { Stats } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, readIfExists, sweep, syncPath } from '../ground/files.ts';
import { sum } from '../ground/sum.ts';
import {
  BACKUP_PARTS,
  copyFile,
  MANIFEST,
  newestBackup,
  readBackup,
  type BackupFile,
  type BackupManifest,
  type BackupPart,
} from './backup-files.ts';
import { sealJson } from './sealed.ts';
import { verifyFiles } from './verify.ts';
import { CURRENT_MODEL_FILE } from '../ground/current-model-file.ts';
import { listFilesBelow } from './files-below.ts';

export type BackupReport = {
  folder: string;
  files: number;
  bytes: number;
  copied: number;
  /** Files that are damaged in the lake and therefore also in the backup. */
  damaged: string[];
};

export type BackupRequest = {
  /** The folder of all backups; each backup has a subfolder. */
  to: string;
  /** The folders to back up, by part. */
  from: Record<BackupPart, string>;
  codeVersion: string;
  now: Date;
};

type CopiedFile = BackupFile & { isCopied: boolean };

/** Name of the folder of an unfinished backup. */
const PARTIAL = /^\.headwind-\d{8}T\d{9}Z\.partial$/;
/**
 * While a backup runs, the time of its folder is updated at this interval, so that the folder does not look abandoned.
 */
const TOUCH_EVERY_MS = 60_000;
/** If an unfinished backup is this old, its process was killed. */
const LEFTOVER_AFTER_MS = 60 * 60_000;
/** Maximum number of attempts. If a month is replaced during the copy, the backup is copied again. */
const ROUNDS = 3;

/**
 * Copies the lake, the models and the keys into a new folder under `to`, while the service runs. A file that is
 * unchanged since the last backup becomes a hard link to the file in that backup, which needs no disk space. Then
 * verifies every month of the new backup against the month's manifest.
 */
export async function writeBackup({
  to,
  from,
  codeVersion,
  now,
}: BackupRequest): Promise<BackupReport> {
  const previous = await newestBackup(to);
  const name = `headwind-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
  const [folder, partial] = [path.join(to, name), path.join(to, `.${name}.partial`)];
  await mkdir(to, { recursive: true });
  await sweepPartial(to);
  const touching = setInterval(() => void touch(partial), TOUCH_EVERY_MS);
  try {
    return await writeWhole({ from, codeVersion, now }, { before: previous, partial, folder });
  } finally {
    clearInterval(touching);
    // After success the partial folder has been renamed, so `rm` removes nothing.
    await rm(partial, { recursive: true, force: true });
  }
}

async function writeWhole(
  { from, codeVersion, now }: Omit<BackupRequest, 'to'>,
  {
    before: previous,
    partial,
    folder,
  }: { before: string | undefined; partial: string; folder: string },
): Promise<BackupReport> {
  for (let round = 1; ; round += 1) {
    await rm(partial, { recursive: true, force: true });
    // Later rounds copy every file instead of linking: a linked file could be damaged.
    const linkableFiles =
      round === 1 && previous ? await listLinkableFiles(previous) : new Map<string, string>();
    const files = await copyAll(from, partial, linkableFiles);
    const damaged = await damagedIn(partial);
    if (damaged.length > 0 && round < ROUNDS) continue;
    const backupFiles = files.map(({ isCopied: _, ...file }) => file);
    const manifest: BackupManifest = { madeAt: now.toISOString(), codeVersion, files: backupFiles };
    await writeFile(path.join(partial, MANIFEST), sealJson(manifest));
    await syncPath(path.join(partial, MANIFEST));
    await rename(partial, folder);
    await syncPath(path.dirname(folder));
    const copied = sum(files.filter(({ isCopied }) => isCopied).map(({ bytes }) => bytes));
    const bytes = sum(files.map((file) => file.bytes));
    return { folder, files: files.length, bytes, copied, damaged };
  }
}

async function touch(folder: string): Promise<void> {
  const now = new Date();
  // The folder does not exist between two rounds.
  await utimes(folder, now, now).catch(() => undefined);
}

/** Removes unfinished backups of killed processes. */
async function sweepPartial(to: string): Promise<void> {
  const keep = (await readdir(to)).filter((name) => !PARTIAL.test(name));
  await sweep(to, new Set(keep), new Date(Date.now() - LEFTOVER_AFTER_MS));
}

/**
 * Lists the files of an earlier backup by path, size and modification time. The new backup links to the files that are
 * unchanged.
 */
async function listLinkableFiles(folder: string): Promise<Map<string, string>> {
  const manifest = await readBackup(folder).catch(() => undefined);
  return new Map(
    (manifest?.files ?? []).map((file) => [
      keyOf(file),
      `${file.sha256} ${path.join(folder, file.path)}`,
    ]),
  );
}

function keyOf(file: Pick<BackupFile, 'path' | 'bytes' | 'mtimeMs'>): string {
  return `${file.path} ${file.bytes} ${file.mtimeMs}`;
}

async function copyAll(
  from: Record<BackupPart, string>,
  to: string,
  linkableFiles: Map<string, string>,
): Promise<CopiedFile[]> {
  const files: CopiedFile[] = [];
  for (const part of BACKUP_PARTS) {
    files.push(...(await copyPart(part, from[part], to, linkableFiles)));
  }
  return files;
}

/**
 * Copies a part. If the pointer of the part moved during the copy, copies the part again, because the copy may lack the
 * new target of the pointer.
 */
async function copyPart(
  part: BackupPart,
  from: string,
  to: string,
  linkableFiles: Map<string, string>,
): Promise<CopiedFile[]> {
  for (;;) {
    const before = await readIfExists(path.join(from, CURRENT_MODEL_FILE));
    const files = await copyListed(part, from, to, linkableFiles);
    const after = await readIfExists(path.join(from, CURRENT_MODEL_FILE));
    if (before?.toString() === after?.toString()) return files;
    await rm(path.join(to, part), { recursive: true });
  }
}

async function copyListed(
  part: BackupPart,
  from: string,
  to: string,
  linkableFiles: Map<string, string>,
): Promise<CopiedFile[]> {
  const files: CopiedFile[] = [];
  await mkdir(path.join(to, part), { recursive: true });
  for (const name of await listFilesBelow(from)) {
    const source = path.join(from, name);
    const stats = await stat(source).catch(() => undefined);
    // The file was replaced meanwhile. Its replacement is copied in this round or the next one.
    if (!stats) continue;
    const file = path.posix.join(part, name);
    // Only files of the lake are linked, because only these files are verified afterwards.
    const linkable =
      part === 'lake' ? linkableFiles.get(keyOf(describeFile(file, stats))) : undefined;
    const copy = await linkOrCopy(source, path.join(to, file), linkable);
    if (copy) files.push({ ...describeFile(file, stats), ...copy });
  }
  return files;
}

/**
 * Returns the path, size and time of a file. The time is in whole milliseconds, because a copy cannot have a more
 * precise time.
 */
function describeFile(file: string, { size, mtimeMs }: Stats): Omit<BackupFile, 'sha256'> {
  return { path: file, bytes: size, mtimeMs: Math.floor(mtimeMs) };
}

async function linkOrCopy(
  source: string,
  target: string,
  linkable: string | undefined,
): Promise<{ sha256: string; isCopied: boolean } | undefined> {
  await mkdir(path.dirname(target), { recursive: true });
  if (linkable !== undefined) {
    const [sha256, file] = [linkable.slice(0, 64), linkable.slice(65)];
    const isLinked = await link(file, target).then(
      () => true,
      () => false,
    );
    // If the link fails, for example on a file system without hard links, the file is copied.
    if (isLinked) return { sha256, isCopied: false };
  }
  try {
    return { sha256: await copyFile(source, target), isCopied: true };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function damagedIn(folder: string): Promise<string[]> {
  const missingDir = path.join(folder, 'missing');
  const places = {
    lakeDir: path.join(folder, 'lake'),
    storeDir: missingDir,
    downloadsDir: missingDir,
  };
  return (await verifyFiles(places)).flatMap(({ what, damaged }) =>
    damaged.map((name) => `${what} ${name}`),
  );
}
