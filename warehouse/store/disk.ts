import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, readIfExists, syncPath, writeSynced } from '../ground/files.ts';
import { removeLeftovers, withTemporary, writeAtomically } from '../ground/temporary.ts';
import { CorruptFileError } from '../errors.ts';
import { DEFAULT_RETENTION, retained, type Retention } from '../ground/retention.ts';
import {
  dateVersion,
  MANIFEST_FILE,
  sortOldestFirst,
  parseManifest,
  type DatedVersion,
} from './manifest.ts';
import type { StoreFiles, StoreManifest } from './store-manifest.ts';
import { tableFiles } from './parts.ts';

const POINTER = 'current';
/** File with the hashes of the content from which operators rolled back. */
export const WITHDRAWN_FILE = 'withdrawn.json';

/** Format of the version names that `sealManifest` creates. */
const VERSION_NAME = /^\d{8}T\d{6}Z-[0-9a-f]{12}$/;

/** Writes the version into its own folder, atomically, and then moves the pointer to it. */
export async function saveToDisk(storeDir: string, store: StoreFiles): Promise<void> {
  const { version } = store.manifest;
  await mkdir(storeDir, { recursive: true });
  const folder = path.join(storeDir, version);
  if (!(await isComplete(folder, store))) {
    await withTemporary(storeDir, async (staging) => {
      await mkdir(staging);
      for (const [name, bytes] of store.files) await writeSynced(path.join(staging, name), bytes);
      await writeSynced(path.join(staging, MANIFEST_FILE), manifestText(store.manifest));
      await syncPath(staging);
      await rm(folder, { recursive: true, force: true });
      await rename(staging, folder).catch(async (error: unknown) => {
        // Another process may have written the same version first.
        if (!(await isComplete(folder, store))) throw error;
      });
    });
  }
  await syncPath(storeDir);
  await writeAtomically(path.join(storeDir, POINTER), (temporary) => writeFile(temporary, version));
}

/**
 * Reads the current version without checking its bytes; undefined if there is no version. Throws `CorruptFileError` if
 * the manifest is damaged or a file is missing.
 */
export async function readFromDisk(storeDir: string): Promise<StoreFiles | undefined> {
  const version = await currentOnDisk(storeDir);
  return version === undefined ? undefined : readVersion(storeDir, version);
}

/** Returns the name of the current version on disk; undefined if there is no version. */
export async function currentOnDisk(storeDir: string): Promise<string | undefined> {
  const text = await readIfExists(path.join(storeDir, POINTER));
  return text?.toString();
}

/** Returns the names of the versions on disk, in the order in which they were built. */
export async function versionsOnDisk(storeDir: string): Promise<string[]> {
  return sortOldestFirst(await datedVersionsOnDisk(storeDir));
}

/** Returns the versions on disk with their build times, including damaged versions. */
export async function datedVersionsOnDisk(storeDir: string): Promise<DatedVersion[]> {
  const names = await readdir(storeDir).catch(() => []);
  const versions = names.filter((name) => VERSION_NAME.test(name));
  return Promise.all(
    versions.map(async (version) => {
      const manifest = await readIfExists(path.join(storeDir, version, MANIFEST_FILE));
      return dateVersion(version, manifest?.toString());
    }),
  );
}

/**
 * Reads a version without checking its bytes. Throws `CorruptFileError` if its manifest is damaged or a file is
 * missing.
 */
export async function readVersion(storeDir: string, version: string): Promise<StoreFiles> {
  const folder = path.join(storeDir, version);
  try {
    const manifest = parseManifest(await readFile(path.join(folder, MANIFEST_FILE), 'utf8'));
    const files = new Map<string, Uint8Array>();
    for (const file of tableFiles(manifest)) {
      files.set(file, await readFile(path.join(folder, file)));
    }
    // A missing model is not an error here, because the version can answer requests without it. `modelOf` throws if the
    // model is missing.
    for (const entry of [manifest.model, manifest.fallback]) {
      const model = entry && (await readIfExists(path.join(folder, entry.file)));
      if (entry && model) files.set(entry.file, model);
    }
    return { manifest, files };
  } catch (error) {
    if (isMissing(error)) throw new CorruptFileError(folder, 'a file is missing', { cause: error });
    throw error;
  }
}

/** Whether the folder contains the version, byte for byte. */
async function isComplete(folder: string, { manifest, files }: StoreFiles): Promise<boolean> {
  const currentManifest = await readIfExists(path.join(folder, MANIFEST_FILE));
  if (currentManifest?.toString() !== manifestText(manifest)) return false;
  for (const [name, bytes] of files) {
    const stored = await readFile(path.join(folder, name)).catch(() => undefined);
    if (!stored?.equals(bytes)) return false;
  }
  return true;
}

function manifestText(manifest: StoreManifest): string {
  return JSON.stringify(manifest, null, 2);
}

/**
 * Removes the versions that the retention does not keep, and unfinished files of killed processes. Never removes the
 * current version.
 */
export async function pruneDisk(
  storeDir: string,
  current: string,
  retention: Retention = DEFAULT_RETENTION,
): Promise<void> {
  const versions = await datedVersionsOnDisk(storeDir);
  const kept = retained(versions, ({ builtAt }) => builtAt, retention);
  for (const { version } of versions.filter((one) => !kept.includes(one))) {
    if (version === current) continue;
    await rm(path.join(storeDir, version), { recursive: true, force: true });
  }
  await removeLeftovers(storeDir);
}
