import { CorruptFileError } from '../errors.ts';
import { sha256 } from '../ground/sha256.ts';
import { STORE_SCHEMA_VERSION } from './tables.ts';
import type { StoreManifest } from './types.ts';

export const MANIFEST_FILE = 'manifest.json';

/** The manifest under its version: build time and a hash of all else it says, so that any change of it shows. */
export function sealManifest(content: Omit<StoreManifest, 'version'>): StoreManifest {
  return { version: versionOf(content), ...content };
}

/** Parses a manifest; throws `CorruptFileError` when it is not the one its version was given to, or of another layout. */
export function parseManifest(text: string): StoreManifest {
  let manifest: StoreManifest;
  try {
    manifest = JSON.parse(text) as StoreManifest;
  } catch (error) {
    throw new CorruptFileError(MANIFEST_FILE, 'not JSON', { cause: error });
  }
  const { version, ...content } = manifest;
  if (version !== versionOf(content)) {
    throw new CorruptFileError(MANIFEST_FILE, `its content is not that of version ${version}`);
  }
  if (content.schemaVersion !== STORE_SCHEMA_VERSION) {
    throw new CorruptFileError(
      MANIFEST_FILE,
      `layout ${content.schemaVersion}, this code reads ${STORE_SCHEMA_VERSION}: publish again`,
    );
  }
  return manifest;
}

/** Layout of the store a manifest is of, whichever it is; undefined of a text that says none. */
export function layoutOf(text: string): number | undefined {
  const said = /"schemaVersion": ?(\d+)/.exec(text)?.[1];
  return said === undefined ? undefined : Number(said);
}

/** Whether two manifests stand for the same answers, whenever they were built. */
export function sameContent(a: StoreManifest, b: StoreManifest): boolean {
  return contentOf(a) === contentOf(b);
}

/** SHA-256 of what the store answers: equal for two builds that differ in nothing but their time. */
export function contentOf({ version: _, builtAt: __, ...content }: StoreManifest): string {
  return sha256(JSON.stringify(content));
}

/** A version and when it was built, in milliseconds since 1970. */
export type Built = { version: string; builtAt: number };

/** When a version was built: as its manifest says, or, where that cannot be read, to the second as its name does. */
export function builtAs(version: string, manifest: string | undefined): Built {
  const said = /"builtAt": ?"([^"]+)"/.exec(manifest ?? '')?.[1] ?? '';
  const name = version.replace(/^(.{4})(..)(..T..)(..)(..Z).*/, '$1-$2-$3:$4:$5');
  const [exact, second] = [Date.parse(said), Date.parse(name)];
  return { version, builtAt: Number.isNaN(exact) ? second : exact };
}

/** The names of versions in the order they were built, each once. */
export function oldestFirst(versions: Built[]): string[] {
  const sorted = versions.toSorted(
    (a, b) => a.builtAt - b.builtAt || (a.version < b.version ? -1 : 1),
  );
  return [...new Set(sorted.map(({ version }) => version))];
}

/** `builtAt` may be missing from a damaged manifest. */
function versionOf(content: { builtAt?: string }): string {
  const stamp = (content.builtAt ?? '').replaceAll(/[-:]|\.\d+/g, '');
  return `${stamp}-${sha256(JSON.stringify(content)).slice(0, 12)}`;
}
