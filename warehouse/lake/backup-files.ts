import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CorruptFileError } from '../errors.ts';
import { namesIn, syncPath } from '../ground/files.ts';
import { fileSha256 } from '../ground/sha256.ts';
import { readSealed } from './sealed.ts';

/** What a backup holds, each below a folder of that name: lake with its ledger, released models, archive of keys. */
export const BACKUP_PARTS = ['lake', 'models', 'archive'] as const;
export type BackupPart = (typeof BACKUP_PARTS)[number];

export type BackupFile = { path: string; bytes: number; sha256: string; mtimeMs: number };

/** `backup.json`: written last, so a folder that has one is whole. */
export type BackupManifest = { madeAt: string; codeVersion: string; files: BackupFile[] };

export const MANIFEST = 'backup.json';
const NAME = /^headwind-\d{8}T\d{9}Z$/;
/** The folder of the newest whole backup below `to`, or `to` itself where that is one. */
export async function newestBackup(to: string): Promise<string | undefined> {
  if (await isThere(path.join(to, MANIFEST))) return to;
  const name = (await namesIn(to))
    .filter((one) => NAME.test(one))
    .toSorted()
    .at(-1);
  return name === undefined ? undefined : path.join(to, name);
}

/** What a backup holds; throws `CorruptFileError` when that is not what was written. */
export async function readBackup(folder: string): Promise<BackupManifest> {
  const file = path.join(folder, MANIFEST);
  const manifest = await readSealed<BackupManifest>(file, 'take another backup');
  if (!manifest) throw new CorruptFileError(file, 'not there, so this is no backup');
  return manifest;
}

/** The files of a backup that are not, bit for bit, what was written. */
export async function damagedFiles(folder: string, { files }: BackupManifest): Promise<string[]> {
  const damaged: string[] = [];
  for (const file of files) {
    const hash = await fileSha256(path.join(folder, file.path)).catch(() => undefined);
    if (hash !== file.sha256) damaged.push(file.path);
  }
  return damaged;
}

/** Copies a file with its time and returns its sha256; it is on disk then. */
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

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
