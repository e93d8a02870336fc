import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '../ground/sha256.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** All that decides what a source becomes in the lake. */
const DECIDING = [
  'pipelines/flights/forms.ts',
  'pipelines/flights/sum-forms.ts',
  'warehouse/extract',
  'warehouse/reference/bts-carrier-names.json',
  'warehouse/sql/lake',
  'warehouse/sql/sources',
];

/**
 * Names the code for manifests and the ledger: `0.1.0+3f2a1b9c`, the release and a hash of what reads flight files, so
 * that months are read again when that changes, released or not. `places` are files and folders below `root`.
 */
export async function codeVersionOf(
  release: string,
  { root = ROOT, places = DECIDING }: { root?: string; places?: string[] } = {},
): Promise<string> {
  const files = (await Promise.all(places.map((place) => filesIn(root, place)))).flat();
  const hashes = await Promise.all(
    files.map(async (file) => [file, sha256(await readFile(path.join(root, file)))]),
  );
  return `${release}+${sha256(JSON.stringify(hashes)).slice(0, 8)}`;
}

async function filesIn(root: string, place: string): Promise<string[]> {
  if ((await stat(path.join(root, place))).isFile()) return [place];
  return (await readdir(path.join(root, place))).toSorted().map((name) => path.join(place, name));
}
