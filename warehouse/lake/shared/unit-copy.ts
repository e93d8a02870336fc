import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, listNames, readIfExists, statIfExists, syncPath } from '../../ground/files.ts';
import { fileSha256 } from '../../ground/hashes.ts';
import { damagedObjectError, type Objects } from '../../objects/objects.ts';
import { DROPPED_FILE, markDropped } from '../dropped.ts';
import type { LakeFile } from '../lake.ts';
import { parseSealed } from '../sealed.ts';
import { fingerprintOf, fingerprintOfText, linkOrCopy, versionsDir } from '../versions.ts';
import {
  MANIFEST,
  listNamedFiles,
  parseMonthRef,
  type FileNames,
  type Unit,
  type UnitState,
} from './units.ts';
import { writeAtomically } from '../../ground/temporary.ts';

/** The local copy of a shared lake, and the storage that the lake is in. */
export type LakeCopy = { lakeDir: string; objects: Objects };

/**
 * A folder with a manifest and its files: the current or a former version of a unit. `print` is the manifest's
 * fingerprint.
 */
type VersionFolder = { unit: Unit; print: string; folder: string };

/** The check of a local file: only its size, or the sha256 of its bytes. */
export type FileCheck = 'size' | 'bytes';

const REMEDY = 'ingest the month again, or make restore MONTH=';

/** Returns the name of the object for a file of a version. Such an object never changes. */
export function objectOf(unit: Unit, print: string, name: string): string {
  return `${unit}/${print}/${name}`;
}

/**
 * Updates the local copy of a unit to the shared state: the unit's manifest, and the manifests of its former versions.
 * Links the files that are already on this machine. `fetchFiles` downloads all other files. The caller must hold the
 * unit's lock.
 */
export async function syncUnit(copy: LakeCopy, unit: Unit, state: UnitState): Promise<void> {
  const { lakeDir } = copy;
  const folder = path.join(lakeDir, unit);
  const ref = parseMonthRef(unit);
  const versionsFolder = ref && versionsDir(lakeDir, ref);
  const localFolders = await listFolders(folder, versionsFolder);
  for (const id of versionsFolder ? state.kept : []) {
    await syncManifest(
      copy,
      { unit, print: fingerprintOf(id), folder: path.join(versionsFolder ?? '', id) },
      localFolders,
    );
  }
  const formerFiles = await readNamedFiles(folder);
  if (state.current !== undefined) {
    await syncManifest(copy, { unit, print: state.current, folder }, localFolders);
  } else {
    if (ref && state.isDropped === true) await markDropped(lakeDir, ref, undefined);
    await rm(path.join(folder, MANIFEST), { force: true });
  }
  const currentNames = new Set((await readNamedFiles(folder)).map(({ name }) => name));
  for (const { name } of formerFiles) {
    if (!currentNames.has(name)) await rm(path.join(folder, name), { force: true });
  }
  for (const id of versionsFolder ? await listNames(versionsFolder) : []) {
    if (state.kept.includes(id) || (state.isDropped === true && id === DROPPED_FILE)) continue;
    await rm(path.join(versionsFolder ?? '', id), { recursive: true, force: true });
  }
}

/** Downloads the files that the manifest of a version names but that are missing or damaged on this machine. */
export async function fetchFiles(
  { objects }: LakeCopy,
  version: VersionFolder,
  check: FileCheck,
): Promise<void> {
  const { unit, print, folder } = version;
  for (const file of await listMissingFiles(folder, check)) {
    const target = path.join(folder, file.name);
    await objects.get(objectOf(unit, print, file.name), target, file);
    // Gives the file an older time than its manifest. A file that is younger than the manifest would not be removed
    // when the month is replaced, because it could belong to another process.
    const { mtimeMs } = await stat(path.join(folder, MANIFEST));
    const earlier = new Date(mtimeMs - 1_000);
    await utimes(target, earlier, earlier);
  }
}

/** Lists the files that a folder's manifest names but that are missing or damaged. */
export async function listMissingFiles(folder: string, check: FileCheck): Promise<LakeFile[]> {
  const missing = await Promise.all(
    (await readNamedFiles(folder)).map(async (file) => {
      const isSound = await hasContent(path.join(folder, file.name), file, check);
      return isSound ? [] : [file];
    }),
  );
  return missing.flat();
}

/** Uploads a manifest and its files, and checks that they have arrived. No pointer names this version yet. */
export async function putVersion(
  { objects }: LakeCopy,
  { unit, print, folder }: VersionFolder,
): Promise<void> {
  const text = await readFile(path.join(folder, MANIFEST));
  const files = listNamedFiles(parseSealed<FileNames>(text.toString(), folder, REMEDY));
  for (const { name, sha256, bytes } of files) {
    const file = path.join(folder, name);
    if (!(await hasContent(file, { sha256, bytes }, 'bytes'))) {
      throw damagedObjectError(folder, name, `does not match its manifest: ${REMEDY}`);
    }
    await objects.put(objectOf(unit, print, name), await readFile(file));
  }
  await objects.put(objectOf(unit, print, MANIFEST), text);
  const storedBytes = new Map(
    (await objects.list(objectOf(unit, print, ''))).map(({ name, bytes }) => [name, bytes]),
  );
  for (const { name, bytes } of [...files, { name: MANIFEST, bytes: text.length }]) {
    const object = objectOf(unit, print, name);
    if (storedBytes.get(object) !== bytes) {
      const detail = `${storedBytes.get(object) ?? 0} bytes of ${bytes} arrived`;
      throw damagedObjectError(objects.place, object, detail);
    }
  }
}

async function hasContent(
  file: string,
  { bytes, sha256 }: Pick<LakeFile, 'bytes' | 'sha256'>,
  check: FileCheck,
): Promise<boolean> {
  const stats = await statIfExists(file);
  if (stats?.size !== bytes) return false;
  return check === 'size' || (await fileSha256(file)) === sha256;
}

async function syncManifest(
  { objects }: LakeCopy,
  { unit, print, folder }: VersionFolder,
  localFolders: string[],
): Promise<void> {
  const current = await readIfExists(path.join(folder, MANIFEST));
  if (current && fingerprintOfText(current.toString()) === print) return;
  const name = objectOf(unit, print, MANIFEST);
  // If the manifest in the storage is missing or damaged, an empty or damaged file is written. Readers of the folder
  // report the damage and its remedy.
  const text = (await findLocalManifest(localFolders, print)) ?? (await objects.read(name)) ?? '';
  await ensureDir(folder);
  for (const file of parseNamedFiles(text.toString())) {
    await linkLocalFile(localFolders, folder, file);
  }
  await writeAtomically(path.join(folder, MANIFEST), (temporary) => writeFile(temporary, text));
  await syncPath(folder);
}

/** Lists the local folders that may have files of a unit. */
async function listFolders(folder: string, place: string | undefined): Promise<string[]> {
  const ids = place ? await listNames(place) : [];
  return [folder, ...ids.map((id) => path.join(place ?? '', id))];
}

async function findLocalManifest(folders: string[], print: string): Promise<Buffer | undefined> {
  for (const folder of folders) {
    const text = await readIfExists(path.join(folder, MANIFEST));
    if (text && fingerprintOfText(text.toString()) === print) return text;
  }
  return undefined;
}

/**
 * Links a file from another local folder instead of downloading it. Files with the same name are equal, because the
 * name contains a hash of the content.
 */
async function linkLocalFile(folders: string[], folder: string, file: LakeFile): Promise<void> {
  const target = path.join(folder, file.name);
  if (await hasContent(target, file, 'size')) return;
  for (const localFolder of folders) {
    const source = path.join(localFolder, file.name);
    if (localFolder === folder || !(await hasContent(source, file, 'size'))) continue;
    await rm(target, { force: true });
    return linkOrCopy(source, target);
  }
}

async function readNamedFiles(folder: string): Promise<LakeFile[]> {
  return parseNamedFiles((await readIfExists(path.join(folder, MANIFEST)))?.toString() ?? '');
}

/** Lists the files that a manifest names; empty if the manifest is damaged. */
function parseNamedFiles(manifestText: string): LakeFile[] {
  try {
    return listNamedFiles(parseSealed<FileNames>(manifestText, MANIFEST, REMEDY));
  } catch {
    return [];
  }
}
