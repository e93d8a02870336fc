import type { Dirent, Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Creates the folder and its parents, durably. */
export async function ensureDir(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (!first) {
    return;
  }
  // Each new folder is an entry of the one above it.
  for (let dir = folder; dir.length >= first.length; dir = path.dirname(dir)) {
    await syncPath(path.dirname(dir));
  }
}

/** Gives a finished temporary file its name; after a crash the name holds all of it or what was there before. */
export async function publishFile(temporary: string, name: string): Promise<void> {
  await syncPath(temporary);
  await rename(temporary, name);
}

/** Writes a file that is on disk when this returns; for one nobody reads by that name yet. */
export async function writeSynced(filePath: string, content: Uint8Array | string): Promise<void> {
  await using file = await open(filePath, 'w');
  await file.writeFile(content);
  await file.sync();
}

/** Waits until a file, or the names in a folder, are on disk. */
export async function syncPath(filePath: string): Promise<void> {
  await using file = await open(filePath, 'r');
  await file.sync();
}

/** Removes what is in the folder, not to be kept and unchanged since `before`. */
export async function sweep(folder: string, keep: Set<string>, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const filePath = path.join(folder, name);
    const found = keep.has(name) ? undefined : await statIfThere(filePath);
    if (found && found.mtime < before) {
      await rm(filePath, { force: true, recursive: true });
    }
  }
}

/** The content of the file, or undefined where there is none. */
export async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Size and times of a file or folder, or undefined where there is none. */
export async function statIfThere(file: string): Promise<Stats | undefined> {
  return stat(file).catch(undefinedIfMissing);
}

/** The names in a folder; none where it is missing. Any other failure is thrown: it does not say that nothing is there. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(undefinedIfMissing)) ?? [];
}

/** What is in a folder; none where it is missing. */
export async function entriesIn(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
}

/**
 * What is below a folder, at any depth. Folders that others delete meanwhile are left out, which the recursive `readdir` of
 * Node fails at.
 */
export async function entriesBelow(folder: string): Promise<Dirent[]> {
  const entries = await entriesIn(folder);
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entriesBelow(path.join(folder, entry.name)));
  return [...entries, ...(await Promise.all(below)).flat()];
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Whether a file or folder was not there; of a folder that a file stands in place of, nothing can be there either. */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
