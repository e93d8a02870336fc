import { link, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ensureDir, listEntries, statIfExists } from '../../warehouse/ground/files.ts';
import { writeAtomically } from '../../warehouse/ground/temporary.ts';

/** A file of the inbox, with the state in which it was seen. */
export type SeenFile = { path: string; size: number; mtimeMs: number };

/** Folders inside the inbox, to which ingested and refused files are moved. */
export const OUTCOMES = ['done', 'refused'] as const;

/** Files that are never taken: hidden files, files that are still being written, and checksums of other files. */
const IGNORED = /^\.|\.(?:part|sha256)$/i;

/** Creates the folders of the inbox. Throws if the folder of the inbox itself does not exist. */
export async function prepareInbox(folder: string): Promise<void> {
  // If the folder is missing, its disk may not be mounted. Files must not be written below the mount point.
  await stat(folder);
  for (const outcome of OUTCOMES) await ensureDir(join(folder, outcome));
}

/** Lists the files of the inbox that may be taken when they are complete. */
export async function listInbox(folder: string): Promise<SeenFile[]> {
  const names = (await listEntries(folder)).map(({ name }) => name);
  const files = names.filter((name) => !IGNORED.test(name)).map((name) => see(join(folder, name)));
  return (await Promise.all(files)).filter((file) => file !== undefined);
}

/** Whether the file is unchanged since it was seen. */
export async function isUnchanged({ path, size, mtimeMs }: SeenFile): Promise<boolean> {
  const now = await see(path);
  return now?.size === size && now.mtimeMs === mtimeMs;
}

/**
 * Moves a file of the inbox, with its checksum file, into the folder of its outcome, and writes the reason beside it.
 * The new name begins with a time, so files of equal names do not replace each other. Safe to run twice, because the
 * new name is always the same. If the content has changed since it was seen, moves the file back and returns undefined,
 * because the new content was not ingested.
 */
export async function moveFromInbox(
  seen: SeenFile,
  { outcome, why, at }: { outcome: (typeof OUTCOMES)[number]; why: string; at: Date },
): Promise<string | undefined> {
  const { path } = seen;
  const movedName = `${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${basename(path)}`;
  const target = join(dirname(path), outcome, movedName);
  // Compares the file after the move, because a writer can replace the file until then.
  await renameIfExists(path, target);
  const moved = { ...seen, path: target };
  if ((await see(target)) !== undefined && !(await isUnchanged(moved))) {
    await moveBack(target, path);
    return undefined;
  }
  await renameIfExists(`${path}.sha256`, `${target}.sha256`);
  await writeAtomically(`${target}.txt`, (temporary) => writeFile(temporary, `${why}\n`));
  return movedName;
}

/** Moves a file back. If a newer file has taken its place, leaves both files where they are. */
async function moveBack(from: string, to: string): Promise<void> {
  const isNewer = await link(from, to).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return true;
    },
  );
  if (!isNewer) await rm(from);
}

async function see(path: string): Promise<SeenFile | undefined> {
  const stats = await statIfExists(path);
  return stats?.isFile() ? { path, size: stats.size, mtimeMs: stats.mtimeMs } : undefined;
}

async function renameIfExists(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
