import { hashCode } from '../ground/hashes.ts';

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
  { root, places = HASHED_PLACES }: { root?: string; places?: string[] } = {},
): Promise<string> {
  return `${release}+${await hashCode(places, root)}`;
}
