import { lstat, mkdir, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, readIfExists, syncPath } from '../ground/files.ts';
import { copyFile, type BackupManifest, type BackupPart } from './backup-files.ts';

/** Parts whose existing folder is replaced. The archive of keys is merged instead. */
export type RestorablePart = Exclude<BackupPart, 'archive'>;

export type RestoredPart = { files: number; formerFolder?: string };

type RestoreTarget = { place: string; now: Date };

/**
 * Suffixes for the name of the folder that is being filled, and for the name of the folder that was replaced. If the
 * part's folder is a mount point, both folders are inside it. Otherwise, they are beside it.
 */
const INCOMING = '.coming';
const REPLACED = '.before-';
/**
 * Matches the end of the name of a replaced folder: the time of the replacement in ms. People do not choose such names.
 */
const TIMESTAMP = /^\d{13}$/;
/** File that exists while the contents of a mount point are being moved. */
const IN_PROGRESS = '.restoring';
/**
 * Entries that are not moved, because they belong to the file system, to running processes or to the restore itself.
 */
const UNTOUCHED = new Set(['lost+found', 'locks', INCOMING, IN_PROGRESS]);
const MOUNTS = '/proc/self/mountinfo';

/**
 * Restores one part of a backup. Files are first copied into a new folder, which then replaces the existing folder
 * atomically. The existing folder gets a new name, which is returned. A mount point cannot be renamed, so its contents
 * are moved instead. If the move is interrupted, `partsToRestore` lists the part until another call completes it.
 */
export async function restorePart(
  folder: string,
  { files }: BackupManifest,
  part: RestorablePart,
  where: RestoreTarget,
): Promise<RestoredPart> {
  const place = await resolveLink(where.place);
  const partFiles = files.filter((file) => file.path.startsWith(`${part}/`));
  const copyTo = async (incoming: string) => {
    await rm(incoming, { recursive: true, force: true });
    await mkdir(incoming, { recursive: true });
    try {
      for (const file of partFiles) {
        const target = path.join(incoming, file.path.slice(part.length + 1));
        await copyFile(path.join(folder, file.path), target);
      }
    } catch (error) {
      // Remove the files that were already copied, because the disk may be full.
      await rm(incoming, { recursive: true, force: true });
      throw error;
    }
  };
  const replace = (await isMountPoint(place)) ? replaceContents : replaceFolder;
  const formerFolder = await replace({ place, now: where.now }, copyTo);
  return { files: partFiles.length, ...(formerFolder !== undefined && { formerFolder }) };
}

/**
 * Lists the folders that earlier restores replaced, oldest first. They are beside or inside the part's folder. Only
 * operators delete them.
 */
export async function listReplacedFolders(where: string): Promise<{ folder: string; at: Date }[]> {
  const place = await resolveLink(where);
  const replacedFolders = [
    [path.dirname(place), path.basename(place) + REPLACED],
    [place, REPLACED],
  ].map(async ([parent = '', start = '']) => {
    const names = await readdir(parent).catch(() => []);
    return names
      .filter((name) => name.startsWith(start) && TIMESTAMP.test(name.slice(start.length)))
      .map((name) => ({
        folder: path.join(parent, name),
        at: new Date(Number(name.slice(start.length))),
      }));
  });
  return (await Promise.all(replacedFolders))
    .flat()
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * Lists the parts to restore; the lake is last. If a restore is requested, lists all parts. Otherwise lists the parts
 * whose restore was interrupted.
 */
export async function partsToRestore(
  places: Record<RestorablePart, string>,
  isRequested: boolean,
): Promise<RestorablePart[]> {
  const parts: RestorablePart[] = [];
  for (const part of ['models', 'lake'] as const) {
    if (isRequested || (await isHalfRestored(places[part]))) parts.push(part);
  }
  return parts;
}

async function isHalfRestored(place: string): Promise<boolean> {
  return stat(path.join(place, IN_PROGRESS)).then(
    () => true,
    () => false,
  );
}

async function replaceFolder(
  { place, now }: RestoreTarget,
  copyTo: (incoming: string) => Promise<void>,
): Promise<string | undefined> {
  const [incoming, formerFolder] = [`${place}${INCOMING}`, `${place}${REPLACED}${now.getTime()}`];
  await copyTo(incoming);
  const hadFolder = await rename(place, formerFolder).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
  await rename(incoming, place);
  await syncPath(path.dirname(place));
  return hadFolder ? formerFolder : undefined;
}

async function replaceContents(
  { place, now }: RestoreTarget,
  copyTo: (incoming: string) => Promise<void>,
): Promise<string | undefined> {
  const [incoming, formerFolder] = [
    path.join(place, INCOMING),
    path.join(place, REPLACED + now.getTime()),
  ];
  await copyTo(incoming);
  await mkdir(path.join(place, IN_PROGRESS), { recursive: true });
  await syncPath(place);
  const names = (await readdir(place)).filter(
    (name) => !UNTOUCHED.has(name) && !name.startsWith(REPLACED),
  );
  if (names.length > 0) await mkdir(formerFolder);
  for (const name of names) await rename(path.join(place, name), path.join(formerFolder, name));
  for (const name of await readdir(incoming)) {
    await rename(path.join(incoming, name), path.join(place, name));
  }
  await syncPath(place);
  await rm(incoming, { recursive: true });
  await rm(path.join(place, IN_PROGRESS), { recursive: true });
  return names.length > 0 ? formerFolder : undefined;
}

/** Returns the target of a symbolic link. The target may not exist yet, for example on a new empty disk. */
async function resolveLink(place: string): Promise<string> {
  const stats = await lstat(place).catch(() => undefined);
  if (!stats?.isSymbolicLink()) return place;
  return realpath(place).catch(async () =>
    path.resolve(path.dirname(place), await readlink(place)),
  );
}

/** Whether the folder is a mount point. This includes a folder that is mounted from the same disk. */
async function isMountPoint(place: string): Promise<boolean> {
  const stats = await stat(place).catch(() => undefined);
  if (!stats) return false;
  const parentStats = await stat(path.dirname(path.resolve(place)));
  if (stats.dev !== parentStats.dev) return true;
  // Only Linux has the file `/proc/self/mountinfo`.
  const mounts = (await readIfExists(MOUNTS))?.toString() ?? '';
  const name = (await realpath(place)).replaceAll(' ', String.raw`\040`);
  return mounts.split('\n').some((line) => line.split(' ')[4] === name);
}
