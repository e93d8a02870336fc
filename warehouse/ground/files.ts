import type { Dirent, Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Creates a folder and its parents, and syncs them to disk. */
export async function ensureDir(folder: string): Promise<void> {
  const firstCreated = await mkdir(folder, { recursive: true });
  if (!firstCreated) {
    return;
  }
  // A new folder is an entry in its parent folder, so the parent folder is synced too.
  for (let dir = folder; dir.length >= firstCreated.length; dir = path.dirname(dir)) {
    await syncPath(path.dirname(dir));
  }
}

/**
 * Renames a finished temporary file to its final name. After a crash, the name refers to the old file or the complete
 * new file, never to a partial file.
 */
export async function publishFile(temporary: string, name: string): Promise<void> {
  await syncPath(temporary);
  await rename(temporary, name);
}

/**
 * Writes a file and syncs it to disk. Use it only for files that no process reads during the write, because a reader
 * could see a partial file.
 */
export async function writeSynced(filePath: string, content: Uint8Array | string): Promise<void> {
  await using file = await open(filePath, 'w');
  await file.writeFile(content);
  await file.sync();
}

/** Syncs a file, or the entries of a folder, to disk. */
export async function syncPath(filePath: string): Promise<void> {
  await using file = await open(filePath, 'r');
  await file.sync();
}

/** Removes the entries of a folder that are not in `keep` and were last changed before `before`. */
export async function sweep(folder: string, keep: Set<string>, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const filePath = path.join(folder, name);
    const entry = keep.has(name) ? undefined : await statIfExists(filePath);
    if (entry && entry.mtime < before) {
      await rm(filePath, { force: true, recursive: true });
    }
  }
}

/** Reads a file; undefined if the file does not exist. */
export async function readIfExists(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the size and times of a file or folder; undefined if the file or folder does not exist. */
export async function statIfExists(file: string): Promise<Stats | undefined> {
  return stat(file).catch(undefinedIfMissing);
}

/**
 * Lists the names in a folder; empty if the folder does not exist. Throws on other errors, because an unreadable folder
 * may contain files.
 */
export async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(undefinedIfMissing)) ?? [];
}

/** Lists the entries of a folder; empty if the folder does not exist. */
export async function listEntries(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
}

/**
 * Lists the entries of a folder and its subfolders. Skips folders that are deleted during the listing. (Node's
 * recursive `readdir` throws if a folder is deleted.)
 */
export async function listAllEntries(folder: string): Promise<Dirent[]> {
  const entries = await listEntries(folder);
  const nested = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => listAllEntries(path.join(folder, entry.name)));
  return [...entries, ...(await Promise.all(nested)).flat()];
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/**
 * Whether the error means that a file or folder does not exist. ENOTDIR also means this: a part of the path is a file,
 * not a folder.
 */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Default number of bytes that stay free on the disk (setting `MIN_FREE_MB`). */
export const MIN_FREE_BYTES = 500_000_000;

/** Names the command that helps when a disk is full. */
export const FREE_SPACE_HINT = 'To delete files that can be fetched again, run make free-space';

/** The work ended because the disk has too little free space. `make free-space` removes files. */
export class DiskFullError extends Error {
  readonly isFinal = true;
  override readonly name = 'DiskFullError';

  constructor(detail: string, options?: ErrorOptions) {
    super(`the disk is full: ${detail}. ${FREE_SPACE_HINT}`, options);
  }
}

/**
 * Whether the error, or one of its causes, means that a disk is full. DuckDB has no error codes, so its message is
 * compared.
 */
export function isDiskFull(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof DiskFullError || ('code' in error && error.code === 'ENOSPC')) return true;
  return /no space left on device|disk is full/i.test(error.message) || isDiskFull(error.cause);
}
