import type { Stats } from 'node:fs';
import { link, mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CURRENT_MODEL_FILE } from '../ground/current-model-file.ts';
import { isMissing, readIfExists } from '../ground/files.ts';
import { HEAD, MANIFEST } from './forecasts/nights.ts';
import {
  BACKUP_PARTS,
  copyFile,
  readBackup,
  type BackupFile,
  type BackupManifest,
  type BackupPart,
  listFilesBelow,
  listBackups,
} from './backup-files.ts';

/** A file of a new backup; `isCopied` is false if the file is a link to an earlier backup. */
export type CopiedFile = BackupFile & { isCopied: boolean };

/**
 * Lists the files of an earlier backup by path, size and modification time. A new backup links to a file in this list
 * instead of copying it.
 */
export async function listLinkableFiles(folder: string): Promise<Map<string, string>> {
  const manifest = await readBackup(folder).catch(() => undefined);
  return new Map(
    (manifest?.files ?? []).map((file) => [
      keyOf(file),
      `${file.sha256} ${path.join(folder, file.path)}`,
    ]),
  );
}

/** Returns the key of a file in the map of linkable files. */
function keyOf(file: Pick<BackupFile, 'path' | 'bytes' | 'mtimeMs'>): string {
  return `${file.path} ${file.bytes} ${file.mtimeMs}`;
}

/** Copies all parts of the backup. A linkable file becomes a link instead of a copy. */
export async function copyAll(
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
 * Copies a part of the backup. If the pointer of the part moved during the copy, copies the part again, because the
 * copy may lack the files that the pointer now names.
 */
async function copyPart(
  part: BackupPart,
  from: string,
  to: string,
  linkableFiles: Map<string, string>,
): Promise<CopiedFile[]> {
  for (;;) {
    const before = await readPointers(from);
    const files = await copyListed(part, from, to, linkableFiles);
    if (before === (await readPointers(from))) return files;
    await rm(path.join(to, part), { recursive: true });
  }
}

/** Files that name other files: the current model, and the list of nights with frozen forecasts. */
const POINTERS = [CURRENT_MODEL_FILE, path.join(HEAD, MANIFEST)];

async function readPointers(folder: string): Promise<string> {
  const texts = POINTERS.map((name) => readIfExists(path.join(folder, name)));
  return (await Promise.all(texts)).join('\n');
}

/** Copies the files of a folder of the lake again, without links. */
export async function copyFolder(
  lakeDir: string,
  to: string,
  folder: string,
): Promise<CopiedFile[]> {
  await rm(path.join(to, 'lake', folder), { recursive: true, force: true });
  return copyListed('lake', lakeDir, to, new Map(), folder);
}

/** Links the files of a folder of the lake to the same files in another backup. */
export async function linkFolder(
  backup: string,
  { files }: BackupManifest,
  to: string,
  folder: string,
): Promise<CopiedFile[]> {
  await rm(path.join(to, 'lake', folder), { recursive: true, force: true });
  const linked: CopiedFile[] = [];
  for (const file of files.filter(({ path: name }) => name.startsWith(`lake/${folder}/`))) {
    const source = path.join(backup, file.path);
    const copy = await linkOrCopy(source, path.join(to, file.path), `${file.sha256} ${source}`);
    if (copy) linked.push({ ...file, ...copy });
  }
  return linked;
}

async function copyListed(
  part: BackupPart,
  from: string,
  to: string,
  linkableFiles: Map<string, string>,
  below = '',
): Promise<CopiedFile[]> {
  const files: CopiedFile[] = [];
  await mkdir(path.join(to, part), { recursive: true });
  for (const listed of await listFilesBelow(path.join(from, below))) {
    const name = path.posix.join(below, listed);
    const source = path.join(from, name);
    const stats = await stat(source).catch(() => undefined);
    // The file was replaced during the backup. The new file is copied in this round or the next round.
    if (!stats) continue;
    const file = path.posix.join(part, name);
    // Only files of the lake are replaced by links, because only these files are verified afterwards.
    const linkable =
      part === 'lake' ? linkableFiles.get(keyOf(describeFile(file, stats))) : undefined;
    const copy = await linkOrCopy(source, path.join(to, file), linkable);
    if (copy) files.push({ ...describeFile(file, stats), ...copy });
  }
  return files;
}

/**
 * Returns the path, size and modification time of a file. The time is in whole milliseconds, because a copy cannot have
 * a more precise time.
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
    // A file system may have no hard links. The file is then copied.
    if (isLinked) return { sha256, isCopied: false };
  }
  try {
    return { sha256: await copyFile(source, target), isCopied: true };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the number of bytes that a backup into `to` would copy now. Unchanged files of the lake would be links. */
export async function measureBackup(to: string, from: Record<BackupPart, string>): Promise<number> {
  const previous = (await listBackups(to)).at(-1);
  const linkable = previous ? await listLinkableFiles(previous) : new Map<string, string>();
  let bytes = 0;
  for (const part of BACKUP_PARTS) {
    for (const name of await listFilesBelow(from[part])) {
      const stats = await stat(path.join(from[part], name)).catch(() => undefined);
      if (!stats) continue;
      const file = describeFile(path.posix.join(part, name), stats);
      if (part !== 'lake' || !linkable.has(keyOf(file))) bytes += stats.size;
    }
  }
  return bytes;
}
