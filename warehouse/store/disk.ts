import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, readIfThere, sweep, syncPath, writeSynced } from '../ground/files.ts';
import { intoPlace, isTemporary } from '../ground/into-place.ts';
import { CorruptFileError } from '../errors.ts';
import { builtAs, MANIFEST_FILE, oldestFirst, parseManifest, type Built } from './manifest.ts';
import type { StoreFiles } from './open.ts';
import type { StoreManifest } from './types.ts';

/** Versions kept on disk and in Redis: room to roll back a few nights. */
export const STORE_VERSIONS_KEPT = 5;

const POINTER = 'current';

/** What a killed process left half-written is at least this old. */
const LEFTOVER_AFTER_MS = 60 * 60_000;
/** Content that was rolled back from. */
export const WITHDRAWN_FILE = 'withdrawn.json';

/** As `sealManifest` names versions. */
const VERSION_NAME = /^\d{8}T\d{6}Z-[0-9a-f]{12}$/;

/** Writes the version into its own folder, whole or not at all, then lets the pointer name it. */
export async function saveToDisk(storeDir: string, store: StoreFiles): Promise<void> {
  const { version } = store.manifest;
  await mkdir(storeDir, { recursive: true });
  const folder = path.join(storeDir, version);
  if (!(await isWhole(folder, store))) {
    const staging = await mkdtemp(path.join(storeDir, '.tmp-'));
    for (const [name, bytes] of store.files) await writeSynced(path.join(staging, name), bytes);
    await writeSynced(path.join(staging, MANIFEST_FILE), manifestText(store.manifest));
    await syncPath(staging);
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder).catch(async (error: unknown) => {
      // Another process on this folder was first: the version is there, whole.
      await rm(staging, { recursive: true });
      if (!(await isWhole(folder, store))) throw error;
    });
  }
  await syncPath(storeDir);
  await intoPlace(path.join(storeDir, POINTER), (temporary) => writeFile(temporary, version));
}

/**
 * The version the pointer names, as bytes not yet checked; undefined when there is none.
 * Throws `CorruptFileError` when its manifest is damaged or a file is missing.
 */
export async function readFromDisk(storeDir: string): Promise<StoreFiles | undefined> {
  const version = await currentOnDisk(storeDir);
  return version === undefined ? undefined : readVersion(storeDir, version);
}

/** Name of the version the pointer on disk names; undefined when there is none. */
export async function currentOnDisk(storeDir: string): Promise<string | undefined> {
  const text = await readIfThere(path.join(storeDir, POINTER));
  return text?.toString();
}

/** Names of the versions on disk, in the order they were built. */
export async function versionsOnDisk(storeDir: string): Promise<string[]> {
  return oldestFirst(await builtOnDisk(storeDir));
}

/** The versions on disk, damaged ones included. */
export async function builtOnDisk(storeDir: string): Promise<Built[]> {
  const names = await readdir(storeDir).catch(() => []);
  const versions = names.filter((name) => VERSION_NAME.test(name));
  return Promise.all(
    versions.map(async (version) => {
      const manifest = await readIfThere(path.join(storeDir, version, MANIFEST_FILE));
      return builtAs(version, manifest?.toString());
    }),
  );
}

/** A version as bytes not yet checked; throws `CorruptFileError` when its manifest is damaged or a file is missing. */
export async function readVersion(storeDir: string, version: string): Promise<StoreFiles> {
  const folder = path.join(storeDir, version);
  try {
    const manifest = parseManifest(await readFile(path.join(folder, MANIFEST_FILE), 'utf8'));
    const files = new Map<string, Uint8Array>();
    for (const { file } of Object.values(manifest.tables)) {
      files.set(file, await readFile(path.join(folder, file)));
    }
    // Without its model a version still answers, so a missing one is for whoever opens it.
    const model = manifest.model && (await readIfThere(path.join(folder, manifest.model.file)));
    if (manifest.model && model) files.set(manifest.model.file, model);
    return { manifest, files };
  } catch (error) {
    if (isMissing(error)) throw new CorruptFileError(folder, 'a file is missing', { cause: error });
    throw error;
  }
}

/** Whether the folder holds the version byte for byte. */
async function isWhole(folder: string, { manifest, files }: StoreFiles): Promise<boolean> {
  const found = await readIfThere(path.join(folder, MANIFEST_FILE));
  if (found?.toString() !== manifestText(manifest)) return false;
  for (const [name, bytes] of files) {
    const held = await readFile(path.join(folder, name)).catch(() => undefined);
    if (!held?.equals(bytes)) return false;
  }
  return true;
}

function manifestText(manifest: StoreManifest): string {
  return JSON.stringify(manifest, null, 2);
}

/** Removes versions older than the newest few, and what killed runs left behind; the current one always stays. */
export async function pruneDisk(storeDir: string, current: string): Promise<void> {
  const versions = (await versionsOnDisk(storeDir)).filter((name) => name !== current);
  for (const name of versions.slice(0, -(STORE_VERSIONS_KEPT - 1))) {
    await rm(path.join(storeDir, name), { recursive: true, force: true });
  }
  // A young leftover may be in the hands of another process.
  const lasting = (await readdir(storeDir)).filter((name) => !isTemporary(name));
  await sweep(storeDir, new Set(lasting), new Date(Date.now() - LEFTOVER_AFTER_MS));
}
