import { copyFile, link, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDir, namesIn, syncPath } from '../ground/files.ts';
import { isTemporary, temporaryIn } from '../ground/into-place.ts';
import { sum } from '../ground/sum.ts';
import { CorruptFileError } from '../errors.ts';
import { fileSha256, sha256 } from '../ground/sha256.ts';
import { filesOf, monthDir, orUndefined, type LakeTree, type MonthManifest } from './lake.ts';
import type { LevelManifest } from './level-lake.ts';
import { readSealed, sealed } from './sealed.ts';

/** A month of one of the trees that ingest writes. */
export type MonthRef = {
  /** `YYYY-MM`. */
  month: string;
  tree: LakeTree;
};

export type AnyManifest = MonthManifest | LevelManifest;

/** A month as it was before another took its place, or before it was dropped. */
export type MonthVersion = {
  /** When it was put aside, and the fingerprint of its manifest. */
  id: string;
  manifest: AnyManifest;
};

const MANIFEST = 'manifest.json';
const FINGERPRINT_LENGTH = 12;

/**
 * Keeps a month as it is in a folder of its own under `lake/versions`, its files under a second name that costs no room.
 * Nothing is kept of a month whose files are not all there.
 */
export async function putAside(
  lakeDir: string,
  ref: MonthRef,
  manifest: AnyManifest,
  now: Date,
): Promise<void> {
  const place = versionsDir(lakeDir, ref);
  await ensureDir(place);
  const temporary = temporaryIn(place);
  await ensureDir(temporary);
  try {
    for (const { name } of filesOf(manifest)) {
      await linkOrCopy(
        path.join(monthDir(lakeDir, ref.month, ref.tree), name),
        path.join(temporary, name),
      );
    }
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await writeFile(path.join(temporary, MANIFEST), sealed(manifest));
  await syncPath(path.join(temporary, MANIFEST));
  await syncPath(temporary);
  const stamp = now.toISOString().replaceAll(/[-:.]/g, '');
  await rename(temporary, path.join(place, `${stamp}-${fingerprint(manifest)}`));
  await syncPath(place);
}

/** The versions kept of a month that can be trusted, newest first; that which the lake holds now is none of them. */
export async function versionsOf(
  lakeDir: string,
  ref: MonthRef,
  current: AnyManifest | undefined,
): Promise<MonthVersion[]> {
  const place = versionsDir(lakeDir, ref);
  const ids = await versionIds(place);
  const held = current && fingerprint(current);
  const found = await Promise.all(
    ids
      .filter((id) => fingerprintOf(id) !== held)
      .map(async (id) => ({ id, manifest: await manifestIn(path.join(place, id)) })),
  );
  return found.filter((one): one is MonthVersion => one.manifest !== undefined).toReversed();
}

/** Every month that has versions, by tree and month. */
export async function monthsWithVersions(lakeDir: string): Promise<MonthRef[]> {
  const refs: MonthRef[] = [];
  for (const tree of ['flights', 'levels'] as const) {
    const folder = path.join(lakeDir, 'versions', tree);
    const months = await namesIn(folder);
    refs.push(...months.toSorted().map((month) => ({ month, tree })));
  }
  return refs;
}

/** Leaves the newest `keep` versions of a month, each content once and none that the lake holds. */
export async function pruneVersions(
  lakeDir: string,
  ref: MonthRef,
  { current, keep }: { current: AnyManifest | undefined; keep: number },
): Promise<void> {
  const place = versionsDir(lakeDir, ref);
  const held = current && fingerprint(current);
  const kept = new Set<string>();
  for (const id of (await versionIds(place)).toReversed()) {
    const content = fingerprintOf(id);
    if (content !== held && !kept.has(content) && kept.size < keep) kept.add(content);
    else await rm(path.join(place, id), { recursive: true, force: true });
  }
  await rmLeftovers(place);
}

/** Whether a version is what a manifest says. */
export function isVersionOf(id: string, manifest: AnyManifest): boolean {
  return fingerprintOf(id) === fingerprint(manifest);
}

/**
 * Gives the files of a version back to the folder of its month and returns its manifest, which is not in place yet. Throws
 * `CorruptFileError` when the version is not what was put aside.
 */
export async function filesBack(
  lakeDir: string,
  ref: MonthRef,
  { id, manifest }: MonthVersion,
): Promise<void> {
  const from = path.join(versionsDir(lakeDir, ref), id);
  const folder = monthDir(lakeDir, ref.month, ref.tree);
  await ensureDir(folder);
  for (const { name, sha256: expected } of filesOf(manifest)) {
    const kept = path.join(from, name);
    if ((await fileSha256(kept).catch(() => undefined)) !== expected) {
      throw new CorruptFileError(kept, 'its sha256 is not that of the manifest');
    }
    const temporary = temporaryIn(folder);
    await linkOrCopy(kept, temporary);
    await rename(temporary, path.join(folder, name));
    // Two names of one file are left by rename as they are.
    await rm(temporary, { force: true });
  }
}

/** Holds each version of a month against its manifest; `damaged` are the ids of those that are not what was put aside. */
export async function verifyVersions(
  lakeDir: string,
  ref: MonthRef,
): Promise<{ checked: number; bytes: number; damaged: string[] }> {
  const place = versionsDir(lakeDir, ref);
  const ids = await versionIds(place);
  const damaged: string[] = [];
  let bytes = 0;
  for (const id of ids) {
    const manifest = await manifestIn(path.join(place, id));
    const files = manifest ? filesOf(manifest) : [];
    const hashes = await Promise.all(
      files.map(({ name }) => fileSha256(path.join(place, id, name)).catch(() => undefined)),
    );
    if (!manifest || files.some((file, at) => file.sha256 !== hashes[at])) damaged.push(id);
    else bytes += sum(files.map((file) => file.bytes));
  }
  return { checked: ids.length, bytes, damaged };
}

/** Where the versions of a month are, a folder each. */
export function versionsDir(lakeDir: string, { month, tree }: MonthRef): string {
  return path.join(lakeDir, 'versions', tree, month);
}

/** The names of all versions there are, oldest first, damaged ones too. */
export async function versionIds(place: string): Promise<string[]> {
  const names = await namesIn(place);
  return names.filter((name) => /^\d{8}T\d+Z-[0-9a-f]{12}$/.test(name)).toSorted();
}

function manifestIn(folder: string): Promise<AnyManifest | undefined> {
  return orUndefined(readSealed<AnyManifest>(path.join(folder, MANIFEST), 'it cannot be restored'));
}

function fingerprint(manifest: AnyManifest): string {
  return fingerprintOfText(sealed(manifest));
}

/** What a sealed manifest is known by. */
export function fingerprintOfText(manifestText: string): string {
  return sha256(manifestText).slice(0, FINGERPRINT_LENGTH);
}

/** The fingerprint in the name of a version. */
export function fingerprintOf(id: string): string {
  return id.slice(-FINGERPRINT_LENGTH);
}

/** Gives the file a second name; a copy where the file system knows no second names. */
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

/** What killed processes left; one job at a time replaces a month. */
async function rmLeftovers(place: string): Promise<void> {
  for (const name of (await namesIn(place)).filter(isTemporary)) {
    await rm(path.join(place, name), { recursive: true, force: true });
  }
}
