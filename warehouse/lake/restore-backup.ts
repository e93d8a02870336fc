import { lstat, mkdir, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, readIfThere, syncPath } from '../ground/files.ts';
import { copyFile, type BackupManifest, type BackupPart } from './backup-files.ts';

/** Folders that are put in place of others; keys are merged. */
export type RestorablePart = Exclude<BackupPart, 'archive'>;

export type RestoredPart = { files: number; setAside?: string };

type Restoring = { place: string; now: Date };

/** Where a disk of its own is mounted, what comes and what was there are kept on it. */
const COMING = '.coming';
const ASIDE = '.before-';
/** When it was set aside, in ms; a name a person gave has other digits. */
const MOMENT = /^\d{13}$/;
/** There from before the first thing is moved until after the last. */
const HALF = '.restoring';
/** Of the disk itself, and of who works here now. */
const STAYS = new Set(['lost+found', 'locks', COMING, HALF]);
const MOUNTS = '/proc/self/mountinfo';

/**
 * Brings one part of a backup to where it belongs; whatever is there is set aside first, and its new name returned. While
 * files are copied nothing changes. Then the folder is there whole or not at all; but where it is a disk of its own, which
 * cannot be renamed, it may be there in part: `partsToRestore` names it until another call has gone on.
 */
export async function restorePart(
  folder: string,
  { files }: BackupManifest,
  part: RestorablePart,
  where: Restoring,
): Promise<RestoredPart> {
  const place = await followed(where.place);
  const own = files.filter((file) => file.path.startsWith(`${part}/`));
  const copyTo = async (coming: string) => {
    await rm(coming, { recursive: true, force: true });
    await mkdir(coming, { recursive: true });
    try {
      for (const file of own) {
        const target = path.join(coming, file.path.slice(part.length + 1));
        await copyFile(path.join(folder, file.path), target);
      }
    } catch (error) {
      // A full disk has its room back.
      await rm(coming, { recursive: true, force: true });
      throw error;
    }
  };
  const take = (await isMountPoint(place)) ? takeInside : takePlace;
  const setAside = await take({ place, now: where.now }, copyTo);
  return { files: own.length, ...(setAside !== undefined && { setAside }) };
}

/** What restores set aside of a part, beside its place or inside of it, the oldest first: nobody but a person deletes it. */
export async function setAsideOf(where: string): Promise<{ folder: string; at: Date }[]> {
  const place = await followed(where);
  const found = [
    [path.dirname(place), path.basename(place) + ASIDE],
    [place, ASIDE],
  ].map(async ([above = '', start = '']) => {
    const names = await readdir(above).catch(() => []);
    return names
      .filter((name) => name.startsWith(start) && MOMENT.test(name.slice(start.length)))
      .map((name) => ({
        folder: path.join(above, name),
        at: new Date(Number(name.slice(start.length))),
      }));
  });
  return (await Promise.all(found)).flat().toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** What is to be restored, the lake last: all where that is asked for, else what a restore before left half moved. */
export async function partsToRestore(
  places: Record<RestorablePart, string>,
  isAsked: boolean,
): Promise<RestorablePart[]> {
  const parts: RestorablePart[] = [];
  for (const part of ['models', 'lake'] as const) {
    if (isAsked || (await isHalfRestored(places[part]))) parts.push(part);
  }
  return parts;
}

async function isHalfRestored(place: string): Promise<boolean> {
  return stat(path.join(place, HALF)).then(
    () => true,
    () => false,
  );
}

async function takePlace(
  { place, now }: Restoring,
  copyTo: (coming: string) => Promise<void>,
): Promise<string | undefined> {
  const [coming, setAside] = [`${place}${COMING}`, `${place}${ASIDE}${now.getTime()}`];
  await copyTo(coming);
  const wasThere = await rename(place, setAside).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
  await rename(coming, place);
  await syncPath(path.dirname(place));
  return wasThere ? setAside : undefined;
}

async function takeInside(
  { place, now }: Restoring,
  copyTo: (coming: string) => Promise<void>,
): Promise<string | undefined> {
  const [coming, setAside] = [path.join(place, COMING), path.join(place, ASIDE + now.getTime())];
  await copyTo(coming);
  await mkdir(path.join(place, HALF), { recursive: true });
  await syncPath(place);
  const before = (await readdir(place)).filter(
    (name) => !STAYS.has(name) && !name.startsWith(ASIDE),
  );
  if (before.length > 0) await mkdir(setAside);
  for (const name of before) await rename(path.join(place, name), path.join(setAside, name));
  for (const name of await readdir(coming)) {
    await rename(path.join(coming, name), path.join(place, name));
  }
  await syncPath(place);
  await rm(coming, { recursive: true });
  await rm(path.join(place, HALF), { recursive: true });
  return before.length > 0 ? setAside : undefined;
}

/** Where a link leads, also to what is not there yet: a disk that was replaced is empty. */
async function followed(place: string): Promise<string> {
  const found = await lstat(place).catch(() => undefined);
  if (!found?.isSymbolicLink()) return place;
  return realpath(place).catch(async () =>
    path.resolve(path.dirname(place), await readlink(place)),
  );
}

/** Whether something is mounted there, be it of the same disk. */
async function isMountPoint(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  if (!found) return false;
  const above = await stat(path.dirname(path.resolve(place)));
  if (found.dev !== above.dev) return true;
  // Absent where it is no Linux.
  const mounts = (await readIfThere(MOUNTS))?.toString() ?? '';
  const name = (await realpath(place)).replaceAll(' ', String.raw`\040`);
  return mounts.split('\n').some((line) => line.split(' ')[4] === name);
}
