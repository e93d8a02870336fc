import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sweep, syncPath } from '../ground/files.ts';
import { LakeMonthMissingError, NoSuchVersionError } from '../errors.ts';
import { markDropped } from './dropped.ts';
import { filesOf, monthDir, readValidManifest } from './lake.ts';
import { readValidLevelManifest } from './level-lake.ts';
import { sealJson } from './sealed.ts';
import {
  restoreVersionFiles,
  isVersionOf,
  pruneVersions,
  keepVersion,
  listVersions,
  type AnyManifest,
  type MonthRef,
} from './versions.ts';
import { writeAtomically } from '../ground/temporary.ts';

/** Options for replacing, restoring and removing months of a lake. */
export type PlaceOptions = {
  lakeDir: string;
  /** Number of former versions to keep for each month. */
  keepVersions: number;
  now: () => Date;
};

/** Default number of former versions that are kept for each month (setting `KEEP_VERSIONS`). */
export const MAX_MONTH_VERSIONS = 3;

/**
 * A file that no manifest names is removed at this age. A younger file may belong to another process that has not
 * written its manifest yet.
 */
const LEFTOVER_AFTER_MS = 60 * 60_000;

/** Reads the current manifest of a month; undefined if the manifest is missing or damaged. */
export function currentManifest(
  lakeDir: string,
  { month, tree }: MonthRef,
): Promise<AnyManifest | undefined> {
  return tree === 'levels'
    ? readValidLevelManifest(lakeDir, month)
    : readValidManifest(lakeDir, month);
}

/**
 * Makes a manifest the current manifest of its month. The files of the manifest must already be written. The old
 * version becomes a former version, and its files are removed from the month's folder. If the process is killed, the
 * month has either the old or the new version.
 */
export async function placeMonth(
  ref: MonthRef,
  manifest: AnyManifest,
  options: PlaceOptions,
): Promise<void> {
  const { lakeDir, keepVersions: keep, now } = options;
  const folder = monthDir(lakeDir, ref.month, ref.tree);
  await syncPath(folder);
  const previous = await currentManifest(lakeDir, ref);
  if (previous && keep > 0 && !isSameContent(previous, manifest)) {
    await keepVersion(lakeDir, ref, previous, now());
  }
  const manifestFile = path.join(folder, 'manifest.json');
  const previousAt = await modifiedAt(manifestFile);
  await writeAtomically(manifestFile, (temporary) => writeFile(temporary, sealJson(manifest)));

  const namedFiles = new Set(['manifest.json', ...filesOf(manifest).map(({ name }) => name)]);
  for (const { name } of previous ? filesOf(previous) : []) {
    const filePath = path.join(folder, name);
    // If a file is younger than the old manifest, another process wrote it and has not written its manifest yet. Keep
    // it.
    if (!namedFiles.has(name) && (await modifiedAt(filePath)) <= previousAt) {
      await rm(filePath, { force: true });
    }
  }
  await sweep(folder, namedFiles, new Date(now().getTime() - LEFTOVER_AFTER_MS));
  await pruneVersions(lakeDir, ref, { current: manifest, keep });
}

/**
 * Restores a former version of a month. The current version becomes a former version. Repeating the call changes
 * nothing. Throws `NoSuchVersionError` if the version does not exist.
 */
export async function restoreVersion(
  ref: MonthRef,
  id: string,
  options: PlaceOptions,
): Promise<void> {
  const current = await currentManifest(options.lakeDir, ref);
  if (current && isVersionOf(id, current)) return;
  const versions = await listVersions(options.lakeDir, ref, current);
  const version = versions.find((one) => one.id === id);
  if (!version) throw new NoSuchVersionError(ref.month, id);
  await restoreVersionFiles(options.lakeDir, ref, version);
  await placeMonth(ref, version.manifest, options);
}

/**
 * Removes a month from the lake and keeps it as a former version. Does nothing if the month was already removed. A
 * damaged month cannot be kept and is lost. Throws `LakeMonthMissingError` if the month never existed.
 */
export async function removeMonth(ref: MonthRef, options: PlaceOptions): Promise<void> {
  const { lakeDir, keepVersions: keep, now } = options;
  const folder = monthDir(lakeDir, ref.month, ref.tree);
  const current = await currentManifest(lakeDir, ref);
  const hasManifest = (await modifiedAt(path.join(folder, 'manifest.json'))) > 0;
  if (!hasManifest) {
    const hasVersions = (await listVersions(lakeDir, ref, undefined)).length > 0;
    if (!hasVersions && keep > 0) throw new LakeMonthMissingError(ref.month, 'nothing to drop');
    return;
  }
  if (current && keep > 0) await keepVersion(lakeDir, ref, current, now());
  else await markDropped(lakeDir, ref, current);
  await rm(path.join(folder, 'manifest.json'));
  await syncPath(folder);
  for (const { name } of current ? filesOf(current) : []) {
    await rm(path.join(folder, name), { force: true });
  }
  await pruneVersions(lakeDir, ref, { current: undefined, keep });
}

/** Whether two manifests have the same files and the same source. If so, one of the two versions is a duplicate. */
function isSameContent(a: AnyManifest, b: AnyManifest): boolean {
  const content = ({ files, source }: AnyManifest) => JSON.stringify([files, source]);
  return content(a) === content(b);
}

/** Returns the modification time of a file in milliseconds; 0 if the file does not exist. */
async function modifiedAt(filePath: string): Promise<number> {
  return (await stat(filePath).catch(() => undefined))?.mtimeMs ?? 0;
}
