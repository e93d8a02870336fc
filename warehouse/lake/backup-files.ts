import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CorruptFileError } from '../errors.ts';
import { listNames, syncPath, listAllEntries, listEntries } from '../ground/files.ts';
import { retained, type Retention } from '../ground/retention.ts';
import { fileSha256 } from '../ground/hashes.ts';
import { readSealed } from './sealed.ts';

/**
 * The parts of a backup: the lake with its ledger, the released models, and the archive of keys. Each part has a folder
 * of the same name.
 */
export const BACKUP_PARTS = ['lake', 'models', 'archive'] as const;
export type BackupPart = (typeof BACKUP_PARTS)[number];

export type BackupFile = { path: string; bytes: number; sha256: string; mtimeMs: number };

/** Content of `backup.json`. This file is written last, so a folder with this file is a complete backup. */
export type BackupManifest = {
  madeAt: string;
  codeVersion: string;
  files: BackupFile[];
  /** Folders that were damaged in the lake at the time of the backup. */
  damaged?: DamagedFolder[];
};

/**
 * A folder of the lake that was damaged. `instead` is the earlier backup that supplied the folder; absent if the folder
 * was left out.
 */
export type DamagedFolder = { folder: string; instead?: string };

export const MANIFEST = 'backup.json';
const NAME = /^headwind-\d{8}T\d{9}Z$/;

/** Returns the folder of the newest complete backup in `to`, or `to` itself if `to` is a backup. */
export async function newestBackup(to: string): Promise<string | undefined> {
  if (await exists(path.join(to, MANIFEST))) return to;
  return (await listBackups(to)).at(-1);
}

/** Lists the folders of the complete backups in `to`, oldest first. */
export async function listBackups(to: string): Promise<string[]> {
  const names = (await listNames(to)).filter((one) => NAME.test(one)).toSorted();
  return names.map((name) => path.join(to, name));
}

/** Removes the backups in `to` that the retention does not keep, and returns their names. */
export async function pruneBackups(to: string, retention: Retention): Promise<string[]> {
  const all = await listBackups(to);
  const kept = retained(all, backupTime, retention);
  const old = all.filter((folder) => !kept.includes(folder));
  for (const folder of old) await rm(folder, { recursive: true, force: true });
  return old.map((folder) => path.basename(folder));
}

/** Returns the time of a backup in milliseconds since 1970, from its name. */
export function backupTime(folder: string): number {
  const [, date, time, ms] = /-(\d{8})T(\d{6})(\d{3})Z$/.exec(folder) ?? [];
  const text = `${date}T${time}.${ms}Z`.replace(
    /^(.{4})(..)(..)T(..)(..)(..)/,
    '$1-$2-$3T$4:$5:$6',
  );
  return Date.parse(text);
}

/** Reads the manifest of a backup; throws `CorruptFileError` if the manifest is missing or was changed. */
export async function readBackup(folder: string): Promise<BackupManifest> {
  const file = path.join(folder, MANIFEST);
  const manifest = await readSealed<BackupManifest>(file, 'make another backup');
  if (!manifest) throw new CorruptFileError(file, 'missing, so the folder is not a backup');
  return manifest;
}

/** Lists the damaged files of a backup. */
export async function damagedFiles(folder: string, { files }: BackupManifest): Promise<string[]> {
  const damaged: string[] = [];
  for (const file of files) {
    const hash = await fileSha256(path.join(folder, file.path)).catch(() => undefined);
    if (hash !== file.sha256) damaged.push(file.path);
  }
  return damaged;
}

/** Copies a file with its modification time, syncs the copy to disk and returns the sha256 of the copy. */
export async function copyFile(source: string, target: string): Promise<string> {
  await mkdir(path.dirname(target), { recursive: true });
  const hash = createHash('sha256');
  const reading = createReadStream(source);
  reading.on('data', (chunk) => hash.update(chunk));
  await pipeline(reading, createWriteStream(target, { mode: 0o600 }));
  const { atime, mtime } = await stat(source);
  await utimes(target, atime, mtime);
  await syncPath(target);
  return hash.digest('hex');
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Folders that a backup leaves out, because they belong to the running service or to the file system. */
const SKIPPED_FOLDERS = new Set(['locks', 'spill', 'lost+found']);

/**
 * Lists all files in a folder and its subfolders as sorted relative paths. Skips unfinished files. Empty if the folder
 * does not exist.
 */
export async function listFilesBelow(folder: string): Promise<string[]> {
  const entries = await listEntries(folder);
  const nested = entries
    .filter((entry) => entry.isDirectory() && !isSkipped([entry.name]))
    .map((entry) => listAllEntries(path.join(folder, entry.name)));
  return [...entries, ...(await Promise.all(nested)).flat()]
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !isSkipped(name.split(path.sep)))
    .toSorted();
}

function isSkipped(parts: string[]): boolean {
  return SKIPPED_FOLDERS.has(parts[0] ?? '') || parts.some((part) => part.startsWith('.'));
}
