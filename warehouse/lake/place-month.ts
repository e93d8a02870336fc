import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sweep, syncPath } from '../ground/files.ts';
import { intoPlace } from '../ground/into-place.ts';
import { LakeMonthMissingError, NoSuchVersionError } from '../errors.ts';
import { filesOf, monthDir, soundManifest } from './lake.ts';
import { soundLevelManifest } from './level-lake.ts';
import { sealed } from './sealed.ts';
import {
  filesBack,
  isVersionOf,
  pruneVersions,
  putAside,
  versionsOf,
  type AnyManifest,
  type MonthRef,
} from './versions.ts';

/** What changes months of a lake. */
export type PlaceOptions = {
  lakeDir: string;
  /** Versions kept of a month besides the one that counts. */
  keepVersions: number;
  now: () => Date;
};

/** Versions of a month kept unless `KEEP_VERSIONS` is set. */
export const MONTH_VERSIONS_KEPT = 3;

/** A file no manifest names may be one that another process is about to name; this old it is a leftover. */
const LEFTOVER_AFTER_MS = 60 * 60_000;

/** The manifest that counts for a month; undefined when there is none that can be trusted. */
export function currentManifest(
  lakeDir: string,
  { month, tree }: MonthRef,
): Promise<AnyManifest | undefined> {
  return tree === 'levels' ? soundLevelManifest(lakeDir, month) : soundManifest(lakeDir, month);
}

/**
 * Makes the manifest, whose files are written, the one that counts. What it takes the place of is put aside first, then its
 * files are removed; a process that is killed leaves the month as it was or as it is to be.
 */
export async function putInPlace(
  ref: MonthRef,
  manifest: AnyManifest,
  options: PlaceOptions,
): Promise<void> {
  const { lakeDir, keepVersions: keep, now } = options;
  const folder = monthDir(lakeDir, ref.month, ref.tree);
  await syncPath(folder);
  const previous = await currentManifest(lakeDir, ref);
  if (previous && keep > 0 && !isSameContent(previous, manifest)) {
    await putAside(lakeDir, ref, previous, now());
  }
  const manifestFile = path.join(folder, 'manifest.json');
  const previousAt = await modifiedAt(manifestFile);
  await intoPlace(manifestFile, (temporary) => writeFile(temporary, sealed(manifest)));

  const named = new Set(['manifest.json', ...filesOf(manifest).map(({ name }) => name)]);
  for (const { name } of previous ? filesOf(previous) : []) {
    const filePath = path.join(folder, name);
    // One younger than its manifest was written again, by a process that is about to name it.
    if (!named.has(name) && (await modifiedAt(filePath)) <= previousAt) {
      await rm(filePath, { force: true });
    }
  }
  await sweep(folder, named, new Date(now().getTime() - LEFTOVER_AFTER_MS));
  await pruneVersions(lakeDir, ref, { current: manifest, keep });
}

/**
 * Makes a version of a month the one that counts, and puts aside what did; doing it again changes nothing. Throws
 * `NoSuchVersionError` where it is not kept.
 */
export async function bringBack(ref: MonthRef, id: string, options: PlaceOptions): Promise<void> {
  const current = await currentManifest(options.lakeDir, ref);
  if (current && isVersionOf(id, current)) return;
  const versions = await versionsOf(options.lakeDir, ref, current);
  const version = versions.find((one) => one.id === id);
  if (!version) throw new NoSuchVersionError(ref.month, id);
  await filesBack(options.lakeDir, ref, version);
  await putInPlace(ref, version.manifest, options);
}

/**
 * Takes a month out of the lake and puts it aside; one that is not there, or no more, is left so. A month that is damaged
 * goes for good. Throws `LakeMonthMissingError` where there never was any.
 */
export async function takeAway(ref: MonthRef, options: PlaceOptions): Promise<void> {
  const { lakeDir, keepVersions: keep, now } = options;
  const folder = monthDir(lakeDir, ref.month, ref.tree);
  const current = await currentManifest(lakeDir, ref);
  const isThere = (await modifiedAt(path.join(folder, 'manifest.json'))) > 0;
  if (!isThere) {
    const wasThere = (await versionsOf(lakeDir, ref, undefined)).length > 0;
    if (!wasThere && keep > 0) throw new LakeMonthMissingError(ref.month);
    return;
  }
  if (current && keep > 0) await putAside(lakeDir, ref, current, now());
  await rm(path.join(folder, 'manifest.json'));
  await syncPath(folder);
  for (const { name } of current ? filesOf(current) : []) {
    await rm(path.join(folder, name), { force: true });
  }
  await pruneVersions(lakeDir, ref, { current: undefined, keep });
}

/** The same files of the same source: whatever else a manifest says, going back to it would bring back nothing. */
function isSameContent(one: AnyManifest, other: AnyManifest): boolean {
  const content = ({ files, source }: AnyManifest) => JSON.stringify([files, source]);
  return content(one) === content(other);
}

/** When a file was written, in milliseconds; 0 when it is not there. */
async function modifiedAt(filePath: string): Promise<number> {
  return (await stat(filePath).catch(() => undefined))?.mtimeMs ?? 0;
}
