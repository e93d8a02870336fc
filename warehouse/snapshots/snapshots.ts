import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { listEntries, readIfExists, statIfExists } from '../ground/files.ts';
import { fileSha256, sha256 } from '../ground/hashes.ts';
import { isSignedManifest, type SnapshotKey } from './snapshot-signature.ts';

const column = z.object({ name: z.string(), type: z.string(), about: z.string() });

const provider = z.object({
  name: z.string(),
  title: z.string(),
  attribution: z.string(),
  terms: z.string(),
});

const snapshotFile = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() });

const snapshotManifest = z.object({
  version: z.string(),
  /** Month of the forecasts, `YYYY-MM`. */
  month: z.string(),
  createdAt: z.string(),
  storeVersion: z.string(),
  modelVersion: z.string().nullable(),
  rows: z.number(),
  columns: z.array(column),
  files: z.array(snapshotFile),
  /** The providers of the rows, with the terms that apply to them. */
  providers: z.array(provider),
  /** Providers whose figures must not be passed on. */
  leftOut: z.array(provider),
});

/** A column of a snapshot. */
export type SnapshotColumn = z.infer<typeof column>;

/** A provider of records, with the terms that apply to its figures. */
export type SnapshotProvider = z.infer<typeof provider>;

export type SnapshotFile = z.infer<typeof snapshotFile>;

/** The content of a snapshot. */
export type SnapshotManifest = z.infer<typeof snapshotManifest>;

/** A snapshot on disk. */
export type Snapshot = {
  folder: string;
  manifest: SnapshotManifest;
  /**
   * The files that can be downloaded: data, manifest and signature. If the size of a file differs from the manifest,
   * the file is left out.
   */
  files: SnapshotFile[];
  /** Names of the files that are missing or whose size differs from the manifest. */
  damaged: string[];
};

export const SNAPSHOT_FILES = {
  parquet: 'forecasts.parquet',
  csv: 'forecasts.csv',
  manifest: 'manifest.json',
  signature: 'manifest.jws',
};

const { manifest: MANIFEST, signature: SIGNATURE } = SNAPSHOT_FILES;

/** Returns the folder with a subfolder for each snapshot. */
export function snapshotsDir(dataDir: string): string {
  return path.join(dataDir, 'snapshots');
}

/** Lists the complete snapshots, newest first. A snapshot without a readable manifest is left out. */
export async function listSnapshots(dataDir: string): Promise<Snapshot[]> {
  const snapshots = await Promise.all(
    (await listFolders(dataDir)).map(async (folder) => readSnapshot(folder)),
  );
  return snapshots
    .flatMap((snapshot) => snapshot ?? [])
    .toSorted(
      ({ manifest: a }, { manifest: b }) =>
        b.month.localeCompare(a.month) || b.createdAt.localeCompare(a.createdAt),
    );
}

/**
 * Compares the files of all snapshots with their checksums, and the manifests with their signatures. Without keys, the
 * signatures are not checked.
 */
export async function verifySnapshots(
  dataDir: string,
  keys?: readonly SnapshotKey[],
): Promise<{ checked: number; bytes: number; damaged: string[] }> {
  const result = { checked: 0, bytes: 0, damaged: [] as string[] };
  for (const folder of await listFolders(dataDir)) {
    result.checked += 1;
    const version = path.basename(folder);
    const snapshot = await readSnapshot(folder);
    if (!snapshot) {
      result.damaged.push(`${version}/${MANIFEST}`);
      continue;
    }
    result.damaged.push(...snapshot.damaged.map((name) => `${version}/${name}`));
    for (const { name, bytes, sha256: expected } of snapshot.files) {
      result.bytes += bytes;
      const actual = await fileSha256(path.join(folder, name));
      if (actual !== expected) result.damaged.push(`${version}/${name}`);
    }
    if (keys && snapshot.files.some(({ name }) => name === SIGNATURE)) {
      const [manifest, jws] = await Promise.all(
        [MANIFEST, SIGNATURE].map((name) => readFile(path.join(folder, name))),
      );
      if (!isSignedManifest(manifest!, jws!.toString(), keys)) {
        result.damaged.push(`${version}/${SIGNATURE}`);
      }
    }
  }
  return result;
}

/** Names of snapshots begin with a month, names of temporary folders do not. */
const SNAPSHOT_NAME = /^\d{4}-\d{2}-[\w-]+$/;

async function listFolders(dataDir: string): Promise<string[]> {
  const parent = snapshotsDir(dataDir);
  const entries = await listEntries(parent);
  return entries
    .filter((entry) => entry.isDirectory() && SNAPSHOT_NAME.test(entry.name))
    .map(({ name }) => path.join(parent, name));
}

async function readSnapshot(folder: string): Promise<Snapshot | undefined> {
  const [content, signature] = await Promise.all(
    [MANIFEST, SIGNATURE].map(async (name) => readIfExists(path.join(folder, name))),
  );
  const manifest = content && parseManifest(content.toString());
  if (!content || manifest?.version !== path.basename(folder)) return undefined;
  const sizes = await Promise.all(
    manifest.files.map(async ({ name }) => (await statIfExists(path.join(folder, name)))?.size),
  );
  const isIntact = (at: number) => sizes[at] === manifest.files[at]?.bytes;
  const names = manifest.files.map(({ name }) => name);
  const fileOf = (name: string, bytes: Buffer): SnapshotFile => ({
    ...{ name, bytes: bytes.length, sha256: sha256(bytes) },
  });
  return {
    ...{ folder, manifest },
    files: [
      ...manifest.files.filter((_, at) => isIntact(at)),
      fileOf(MANIFEST, content),
      ...(signature ? [fileOf(SIGNATURE, signature)] : []),
    ],
    damaged: [...names.filter((_, at) => !isIntact(at)), ...(signature ? [] : [SIGNATURE])],
  };
}

/** Returns undefined if the text is not JSON, or lacks a part of a manifest. */
function parseManifest(text: string): SnapshotManifest | undefined {
  try {
    return snapshotManifest.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
