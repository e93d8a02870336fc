import { CorruptFileError } from '../errors.ts';
import { sha256 } from '../ground/hashes.ts';
import { STORE_SCHEMA_VERSION } from './tables.ts';
import type { StoreManifest } from './store-manifest.ts';

export const MANIFEST_FILE = 'manifest.json';

/**
 * Adds the version to a manifest: the build time and a hash of the content. The hash reveals any change of the content.
 */
export function sealManifest(content: Omit<StoreManifest, 'version'>): StoreManifest {
  return { version: versionOf(content), ...content };
}

/**
 * Parses a manifest. Throws `CorruptFileError` if its content does not match its version, or if it has another layout.
 */
export function parseManifest(text: string): StoreManifest {
  let manifest: StoreManifest;
  try {
    manifest = JSON.parse(text) as StoreManifest;
  } catch (error) {
    throw new CorruptFileError(MANIFEST_FILE, 'not JSON', { cause: error });
  }
  const { version, ...content } = manifest;
  if (version !== versionOf(content)) {
    throw new CorruptFileError(MANIFEST_FILE, `its content does not match version ${version}`);
  }
  if (content.schemaVersion !== STORE_SCHEMA_VERSION) {
    throw new CorruptFileError(
      MANIFEST_FILE,
      `has layout ${content.schemaVersion}, but this code reads layout ${STORE_SCHEMA_VERSION}; publish again`,
    );
  }
  return manifest;
}

/** Returns the layout version of a manifest of any layout; undefined if there is none. */
export function parseLayout(text: string): number | undefined {
  const number = /"schemaVersion": ?(\d+)/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Whether two stores give the same answers. Their build times may differ. */
export function hasSameContent(a: StoreManifest, b: StoreManifest): boolean {
  return hashContent(a) === hashContent(b);
}

/** Returns the SHA-256 of a store's content. Two builds that differ only in their times have equal hashes. */
export function hashContent({ version: _, builtAt: __, ...content }: StoreManifest): string {
  return sha256(JSON.stringify(content));
}

/** A version and its build time in milliseconds since 1970. */
export type DatedVersion = { version: string; builtAt: number };

/**
 * Adds the build time to a version. If the manifest cannot be read, the time is taken from the name of the version,
 * which has whole seconds.
 */
export function dateVersion(version: string, manifest: string | undefined): DatedVersion {
  const text = /"builtAt": ?"([^"]+)"/.exec(manifest ?? '')?.[1] ?? '';
  const name = version.replace(/^(.{4})(..)(..T..)(..)(..Z).*/, '$1-$2-$3:$4:$5');
  const [exact, second] = [Date.parse(text), Date.parse(name)];
  return { version, builtAt: Number.isNaN(exact) ? second : exact };
}

/** Returns the names of versions, without duplicates, in the order in which the versions were built. */
export function sortOldestFirst(versions: DatedVersion[]): string[] {
  const sorted = versions.toSorted(
    (a, b) => a.builtAt - b.builtAt || (a.version < b.version ? -1 : 1),
  );
  return [...new Set(sorted.map(({ version }) => version))];
}

/** Returns the version for the content of a manifest. `builtAt` may be missing in a damaged manifest. */
function versionOf(content: { builtAt?: string }): string {
  const stamp = (content.builtAt ?? '').replaceAll(/[-:]|\.\d+/g, '');
  return `${stamp}-${sha256(JSON.stringify(content)).slice(0, 12)}`;
}
