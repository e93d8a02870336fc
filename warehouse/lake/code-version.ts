import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '../ground/sha256.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** Files and folders of code that determine the content of a month. */
const HASHED_PLACES = [
  'pipelines/providers',
  'warehouse/extract',
  'warehouse/reference/bts-carrier-names.json',
  'warehouse/sql/lake',
];

/**
 * Returns the code version for manifests and ledger, for example `0.1.0+3f2a1b9c`: the release, and a hash of the code
 * that reads flight files. If this code changes, months are extracted again, even without a new release. `places` are
 * the files and folders in `root` to hash.
 */
export async function codeVersionOf(
  release: string,
  { root = ROOT, places = HASHED_PLACES }: { root?: string; places?: string[] } = {},
): Promise<string> {
  const files = (await Promise.all(places.map((place) => listFiles(root, place)))).flat();
  const hashes = await Promise.all(
    files.map(async (file) => [file, sha256(await readFile(path.join(root, file)))]),
  );
  return `${release}+${sha256(JSON.stringify(hashes)).slice(0, 8)}`;
}

async function listFiles(root: string, place: string): Promise<string[]> {
  if ((await stat(path.join(root, place))).isFile()) return [place];
  const entries = await readdir(path.join(root, place));
  // Documentation does not change how files are read.
  const names = entries.filter((name) => !name.endsWith('.md')).toSorted();
  const files = await Promise.all(names.map((name) => listFiles(root, path.join(place, name))));
  return files.flat();
}
