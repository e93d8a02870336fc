import { stat } from 'node:fs/promises';
import path from 'node:path';
import { listAllEntries } from '../ground/files.ts';
import { fileSha256 } from '../ground/hashes.ts';
import { filesOf, undefinedIfCorrupt, type LakeFile } from './lake.ts';
import { readSealed } from './sealed.ts';

const MANIFEST = 'manifest.json';

/** The fields that list files. The manifests of months, former versions and weather have one of these fields. */
type SealedManifest = { files?: Record<string, LakeFile | undefined>; file?: LakeFile };

/**
 * Lists the folders of a lake that have a manifest, as sorted relative paths: months of flights, of the delay-cause
 * table and of weather, and former versions.
 */
export async function listSealedFolders(lakeDir: string): Promise<string[]> {
  const entries = await listAllEntries(lakeDir);
  return entries
    .filter((entry) => entry.name === MANIFEST)
    .map((entry) => path.relative(lakeDir, entry.parentPath))
    .toSorted();
}

/** Whether the manifest of the folder is unchanged and each file matches its sha256. */
export async function isSealedFolderIntact(folder: string): Promise<boolean> {
  const manifest = await undefinedIfCorrupt(
    readSealed<SealedManifest>(path.join(folder, MANIFEST), 'load it again'),
  );
  if (!manifest) return false;
  const { files = {}, file } = manifest;
  for (const { name, bytes, sha256 } of [...filesOf({ files }), ...(file ? [file] : [])]) {
    const filePath = path.join(folder, name);
    const stats = await stat(filePath).catch(() => undefined);
    if (stats?.size !== bytes || (await fileSha256(filePath)) !== sha256) return false;
  }
  return true;
}
