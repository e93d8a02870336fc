import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, namesIn, readIfThere, statIfThere, syncPath } from '../../ground/files.ts';
import { fileSha256 } from '../../ground/sha256.ts';
import { intoPlace } from '../../ground/into-place.ts';
import { damagedObject, type Objects } from '../../objects/objects.ts';
import type { LakeFile } from '../lake.ts';
import { unsealed } from '../sealed.ts';
import { fingerprintOf, fingerprintOfText, linkOrCopy, versionsDir } from '../versions.ts';
import {
  MANIFEST,
  namedFiles,
  refOf,
  type NamingFiles,
  type Unit,
  type UnitState,
} from './units.ts';

/** A lake on this machine, and the objects it is a copy of. */
export type LakeCopy = { lakeDir: string; objects: Objects };

/** A manifest with its files: the folder of a unit, or of a version of it. */
type Held = { unit: Unit; print: string; folder: string };

/** How closely a file that is here is looked at before it is taken for what it should be. */
export type Look = 'size' | 'bytes';

const REMEDY = 'ingest the month again, or make restore MONTH=';

/** Where a version of a unit is kept for all: its manifest and its files, none of which ever changes. */
export function objectOf(unit: Unit, print: string, name: string): string {
  return `${unit}/${print}/${name}`;
}

/**
 * Makes a unit on this machine what it is for all: manifest and those of the versions, and of the files those that are here
 * under another name; the rest come when they are fetched. Whoever calls has the lock of the unit.
 */
export async function bringUnit(copy: LakeCopy, unit: Unit, state: UnitState): Promise<void> {
  const { lakeDir } = copy;
  const folder = path.join(lakeDir, unit);
  const ref = refOf(unit);
  const place = ref && versionsDir(lakeDir, ref);
  const here = await foldersOf(folder, place);
  for (const id of place ? state.kept : []) {
    await bringManifest(
      copy,
      { unit, print: fingerprintOf(id), folder: path.join(place ?? '', id) },
      here,
    );
  }
  const before = await filesNamedIn(folder);
  if (state.current !== undefined) {
    await bringManifest(copy, { unit, print: state.current, folder }, here);
  } else {
    await rm(path.join(folder, MANIFEST), { force: true });
  }
  const counting = new Set((await filesNamedIn(folder)).map(({ name }) => name));
  for (const { name } of before) {
    if (!counting.has(name)) await rm(path.join(folder, name), { force: true });
  }
  for (const id of place ? await namesIn(place) : []) {
    if (state.kept.includes(id)) continue;
    await rm(path.join(place ?? '', id), { recursive: true, force: true });
  }
}

/** Fetches the files that a manifest names and this machine lacks, or has damaged. */
export async function fetchFiles({ objects }: LakeCopy, held: Held, look: Look): Promise<void> {
  const { unit, print, folder } = held;
  for (const file of await lacking(folder, look)) {
    const target = path.join(folder, file.name);
    await objects.get(objectOf(unit, print, file.name), target, file);
    // Older than its manifest: whoever replaces the month leaves younger files to who may be about to name them.
    const { mtimeMs } = await stat(path.join(folder, MANIFEST));
    const before = new Date(mtimeMs - 1_000);
    await utimes(target, before, before);
  }
}

/** The files a manifest in that folder names that are not there, or not as they should be. */
export async function lacking(folder: string, look: Look): Promise<LakeFile[]> {
  const found = await Promise.all(
    (await filesNamedIn(folder)).map(async (file) => {
      const isHere = await isAsNamed(path.join(folder, file.name), file, look);
      return isHere ? [] : [file];
    }),
  );
  return found.flat();
}

/** Puts a manifest and its files where all find them, and sees that they are there. Nothing names them yet. */
export async function putVersion(
  { objects }: LakeCopy,
  { unit, print, folder }: Held,
): Promise<void> {
  const text = await readFile(path.join(folder, MANIFEST));
  const files = namedFiles(unsealed<NamingFiles>(text.toString(), folder, REMEDY));
  for (const { name, sha256, bytes } of files) {
    const file = path.join(folder, name);
    if (!(await isAsNamed(file, { sha256, bytes }, 'bytes'))) {
      throw damagedObject(folder, name, `not what its manifest names: ${REMEDY}`);
    }
    await objects.put(objectOf(unit, print, name), await readFile(file));
  }
  await objects.put(objectOf(unit, print, MANIFEST), text);
  const there = new Map(
    (await objects.list(objectOf(unit, print, ''))).map(({ name, bytes }) => [name, bytes]),
  );
  for (const { name, bytes } of [...files, { name: MANIFEST, bytes: text.length }]) {
    const object = objectOf(unit, print, name);
    if (there.get(object) !== bytes) {
      const detail = `${there.get(object) ?? 0} bytes of ${bytes} arrived`;
      throw damagedObject(objects.place, object, detail);
    }
  }
}

async function isAsNamed(
  file: string,
  { bytes, sha256 }: Pick<LakeFile, 'bytes' | 'sha256'>,
  look: Look,
): Promise<boolean> {
  const found = await statIfThere(file);
  if (found?.size !== bytes) return false;
  return look === 'size' || (await fileSha256(file)) === sha256;
}

async function bringManifest(
  { objects }: LakeCopy,
  { unit, print, folder }: Held,
  here: string[],
): Promise<void> {
  const held = await readIfThere(path.join(folder, MANIFEST));
  if (held && fingerprintOfText(held.toString()) === print) return;
  const name = objectOf(unit, print, MANIFEST);
  // One that is damaged or gone is taken as it is: whoever reads the folder says of a damaged manifest what helps.
  const text = (await manifestHere(here, print)) ?? (await objects.read(name)) ?? '';
  await ensureDir(folder);
  for (const file of filesIn(text.toString())) await linkFrom(here, folder, file);
  await intoPlace(path.join(folder, MANIFEST), (temporary) => writeFile(temporary, text));
  await syncPath(folder);
}

/** Folders of this machine that may have files of a unit. */
async function foldersOf(folder: string, place: string | undefined): Promise<string[]> {
  const ids = place ? await namesIn(place) : [];
  return [folder, ...ids.map((id) => path.join(place ?? '', id))];
}

async function manifestHere(folders: string[], print: string): Promise<Buffer | undefined> {
  for (const folder of folders) {
    const text = await readIfThere(path.join(folder, MANIFEST));
    if (text && fingerprintOfText(text.toString()) === print) return text;
  }
  return undefined;
}

/** Their names tell content: what is here under that name and of that size need not be fetched. */
async function linkFrom(folders: string[], folder: string, file: LakeFile): Promise<void> {
  const target = path.join(folder, file.name);
  if (await isAsNamed(target, file, 'size')) return;
  for (const other of folders) {
    const source = path.join(other, file.name);
    if (other === folder || !(await isAsNamed(source, file, 'size'))) continue;
    await rm(target, { force: true });
    return linkOrCopy(source, target);
  }
}

async function filesNamedIn(folder: string): Promise<LakeFile[]> {
  return filesIn((await readIfThere(path.join(folder, MANIFEST)))?.toString() ?? '');
}

/** The files that a manifest names; of a damaged one none. */
function filesIn(manifestText: string): LakeFile[] {
  try {
    return namedFiles(unsealed<NamingFiles>(manifestText, MANIFEST, REMEDY));
  } catch {
    return [];
  }
}
