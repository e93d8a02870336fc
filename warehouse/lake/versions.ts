import { copyFile, link, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, listNames, syncPath, writeSynced } from '../ground/files.ts';
import { removeLeftovers, withTemporary } from '../ground/temporary.ts';
import { sum } from '../ground/numbers.ts';
import { CorruptFileError } from '../errors.ts';
import { fileSha256, sha256 } from '../ground/hashes.ts';
import {
  filesOf,
  monthDir,
  undefinedIfCorrupt,
  type LakeTree,
  type MonthManifest,
} from './lake.ts';
import type { LevelManifest } from './level-lake.ts';
import { readSealed, sealJson } from './sealed.ts';

/** A month of flights or of the delay-cause table. */
export type MonthRef = {
  /** `YYYY-MM`. For the counts of a whole year, this is December of the year. */
  month: string;
  tree: LakeTree;
  /** Name of the provider; absent for the American record. */
  provider?: string;
};

export type AnyManifest = MonthManifest | LevelManifest;

/** Returns 12 if the manifest has the counts of a whole year; otherwise undefined. */
export function periodOf(manifest: AnyManifest | undefined): 12 | undefined {
  return manifest && 'periodMonths' in manifest ? manifest.periodMonths : undefined;
}

/** A former version of a month, which was current until the month was replaced or removed. */
export type MonthVersion = {
  /** The time of the replacement, and the fingerprint of the version's manifest. */
  id: string;
  manifest: AnyManifest;
};

const MANIFEST = 'manifest.json';
const FINGERPRINT_LENGTH = 12;

/**
 * Keeps the current version of a month in a folder under `lake/versions`. Its files become hard links, which need no
 * disk space. Does nothing if a file of the month is missing.
 */
export async function keepVersion(
  lakeDir: string,
  ref: MonthRef,
  manifest: AnyManifest,
  now: Date,
): Promise<void> {
  const versionsFolder = versionsDir(lakeDir, ref);
  await ensureDir(versionsFolder);
  await withTemporary(versionsFolder, async (temporary) => {
    await ensureDir(temporary);
    try {
      for (const { name } of filesOf(manifest)) {
        await linkOrCopy(
          path.join(monthDir(lakeDir, ref.month, ref.tree), name),
          path.join(temporary, name),
        );
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    await writeSynced(path.join(temporary, MANIFEST), sealJson(manifest));
    await syncPath(temporary);
    const stamp = now.toISOString().replaceAll(/[-:.]/g, '');
    await rename(temporary, path.join(versionsFolder, `${stamp}-${fingerprint(manifest)}`));
    await syncPath(versionsFolder);
  });
}

/**
 * Lists the former versions of a month, newest first. Leaves out the current version, and versions whose manifest is
 * missing or damaged.
 */
export async function listVersions(
  lakeDir: string,
  ref: MonthRef,
  current: AnyManifest | undefined,
): Promise<MonthVersion[]> {
  const place = versionsDir(lakeDir, ref);
  const ids = await listVersionIds(place);
  const currentPrint = current && fingerprint(current);
  const versions = await Promise.all(
    ids
      .filter((id) => fingerprintOf(id) !== currentPrint)
      .map(async (id) => ({ id, manifest: await readVersionManifest(path.join(place, id)) })),
  );
  return versions.filter((one): one is MonthVersion => one.manifest !== undefined).toReversed();
}

/** Lists the months that have former versions, by tree and month. */
export async function listMonthsWithVersions(lakeDir: string): Promise<MonthRef[]> {
  const refs: MonthRef[] = [];
  for (const tree of ['flights', 'levels'] as const) {
    const folder = path.join(lakeDir, 'versions', tree);
    const months = await listNames(folder);
    refs.push(...months.toSorted().map((month) => ({ month, tree })));
  }
  return refs;
}

/**
 * Keeps the newest `keep` former versions of a month and removes the older ones. Also removes duplicates, and versions
 * that equal the current version.
 */
export async function pruneVersions(
  lakeDir: string,
  ref: MonthRef,
  { current, keep }: { current: AnyManifest | undefined; keep: number },
): Promise<void> {
  const place = versionsDir(lakeDir, ref);
  const currentPrint = current && fingerprint(current);
  const keptPrints = new Set<string>();
  for (const id of (await listVersionIds(place)).toReversed()) {
    const print = fingerprintOf(id);
    if (print !== currentPrint && !keptPrints.has(print) && keptPrints.size < keep) {
      keptPrints.add(print);
    } else await rm(path.join(place, id), { recursive: true, force: true });
  }
  await removeLeftovers(place);
}

/** Whether the version has this manifest. */
export function isVersionOf(id: string, manifest: AnyManifest): boolean {
  return fingerprintOf(id) === fingerprint(manifest);
}

/**
 * Links the files of a version into the month's folder; the caller then writes the manifest. Throws `CorruptFileError`
 * if a file does not match the manifest.
 */
export async function restoreVersionFiles(
  lakeDir: string,
  ref: MonthRef,
  { id, manifest }: MonthVersion,
): Promise<void> {
  const from = path.join(versionsDir(lakeDir, ref), id);
  const folder = monthDir(lakeDir, ref.month, ref.tree);
  await ensureDir(folder);
  for (const { name, sha256: expected } of filesOf(manifest)) {
    const source = path.join(from, name);
    if ((await fileSha256(source).catch(() => undefined)) !== expected) {
      throw new CorruptFileError(source, 'its sha256 does not match the manifest');
    }
    await withTemporary(folder, async (temporary) => {
      await linkOrCopy(source, temporary);
      // If both names are links to one file, `rename` does nothing, and the temporary name has to be removed.
      await rename(temporary, path.join(folder, name));
    });
  }
}

/** Verifies each version of a month against its manifest. `damaged` lists the ids of damaged versions. */
export async function verifyVersions(
  lakeDir: string,
  ref: MonthRef,
): Promise<{ checked: number; bytes: number; damaged: string[] }> {
  const place = versionsDir(lakeDir, ref);
  const ids = await listVersionIds(place);
  const damaged: string[] = [];
  let bytes = 0;
  for (const id of ids) {
    const manifest = await readVersionManifest(path.join(place, id));
    const files = manifest ? filesOf(manifest) : [];
    const hashes = await Promise.all(
      files.map(({ name }) => fileSha256(path.join(place, id, name)).catch(() => undefined)),
    );
    if (!manifest || files.some((file, at) => file.sha256 !== hashes[at])) damaged.push(id);
    else bytes += sum(files.map((file) => file.bytes));
  }
  return { checked: ids.length, bytes, damaged };
}

/** Returns the folder of a month's former versions. Each version has a subfolder. */
export function versionsDir(lakeDir: string, { month, tree }: MonthRef): string {
  return path.join(lakeDir, 'versions', tree, month);
}

/** Lists the ids of all versions in the folder, oldest first, including damaged ones. */
export async function listVersionIds(place: string): Promise<string[]> {
  const names = await listNames(place);
  return names.filter((name) => /^\d{8}T\d+Z-[0-9a-f]{12}$/.test(name)).toSorted();
}

function readVersionManifest(folder: string): Promise<AnyManifest | undefined> {
  return undefinedIfCorrupt(
    readSealed<AnyManifest>(path.join(folder, MANIFEST), 'it cannot be restored'),
  );
}

function fingerprint(manifest: AnyManifest): string {
  return fingerprintOfText(sealJson(manifest));
}

/** Returns the fingerprint of a manifest that `sealJson` formatted. */
export function fingerprintOfText(manifestText: string): string {
  return sha256(manifestText).slice(0, FINGERPRINT_LENGTH);
}

/** Returns the fingerprint that the id of a version contains. */
export function fingerprintOf(id: string): string {
  return id.slice(-FINGERPRINT_LENGTH);
}

/** Creates a hard link, or a copy if the file system has no hard links. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw error;
    await copyFile(from, to);
    await syncPath(to);
  }
}
