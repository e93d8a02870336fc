import { CorruptFileError } from '../errors.ts';
import { sha256 } from '../../ground/sha256.ts';
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

/** Whether two manifests stand for the same answers, whenever they were built. */
export function sameContent(a: StoreManifest, b: StoreManifest): boolean {
  return contentOf(a) === contentOf(b);
}

/** SHA-256 of what the store answers: equal for two builds that differ in nothing but their time. */
export function contentOf({ version: _, builtAt: __, ...content }: StoreManifest): string {
  return sha256(JSON.stringify(content));
}

/** `builtAt` may be missing from a damaged manifest. */
function versionOf(content: { builtAt?: string }): string {
  const stamp = (content.builtAt ?? '').replaceAll(/[-:]|\.\d+/g, '');
  return `${stamp}-${sha256(JSON.stringify(content)).slice(0, 12)}`;
}
