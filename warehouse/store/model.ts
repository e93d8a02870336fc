import { sha256 } from '../ground/hashes.ts';
import { CorruptFileError } from '../errors.ts';
import { sealManifest } from './manifest.ts';
import { openStore } from './open.ts';
import type { StoreFiles, StoreManifest } from './store-manifest.ts';
import type { ScoreStore } from './types.ts';

/** Files of the models inside a store version. */
const MODEL_FILE = 'model.onnx';
const FALLBACK_FILE = 'fallback.onnx';

type ModelEntry = NonNullable<StoreManifest['model']>;

/** A model to add to a store. */
export type ModelFile = {
  version: string;
  /** The ONNX file. */
  bytes: Uint8Array;
  /** Hash of the features for which the model was trained. */
  contract: string;
  /** For an imported model: the last of our own released models, which answers if the imported model fails. */
  fallback?: Omit<ModelFile, 'fallback'>;
};

/** Adds a model and its fallback to a store. The result has a new version. */
export function withModel({ manifest, files }: StoreFiles, model: ModelFile): StoreFiles {
  const { version: _, ...content } = manifest;
  const { fallback } = model;
  const filesWithModels = new Map(files).set(MODEL_FILE, model.bytes);
  if (fallback) filesWithModels.set(FALLBACK_FILE, fallback.bytes);
  return {
    manifest: sealManifest({
      ...content,
      model: entryOf(MODEL_FILE, model),
      ...(fallback && { fallback: entryOf(FALLBACK_FILE, fallback) }),
    }),
    files: filesWithModels,
  };
}

function entryOf(file: string, { version, bytes, contract }: ModelFile): ModelEntry {
  return { file, version, bytes: bytes.length, sha256: sha256(bytes), contract };
}

/**
 * Returns the ONNX file of the store; undefined if the store has no model. Throws `CorruptFileError` if the ONNX file
 * is missing or damaged; the tables may still be intact.
 */
export function modelOf(store: StoreFiles): Uint8Array | undefined {
  return readEntry(store, store.manifest.model);
}

/** Returns the ONNX file that answers if the imported model fails; otherwise like `modelOf`. */
export function fallbackOf(store: StoreFiles): Uint8Array | undefined {
  return readEntry(store, store.manifest.fallback);
}

function readEntry(
  { manifest: { version }, files }: StoreFiles,
  entry: ModelEntry | undefined,
): Uint8Array | undefined {
  if (!entry) return undefined;
  const bytes = files.get(entry.file);
  if (!bytes) throw new CorruptFileError(entry.file, `missing from ${version}`);
  if (sha256(bytes) !== entry.sha256) {
    throw new CorruptFileError(entry.file, `its sha256 does not match ${version}`);
  }
  return bytes;
}

/**
 * Opens the store and also checks its models, for callers that copy the store to another place. Throws
 * `CorruptFileError`.
 */
export function openVerifiedStore(store: StoreFiles): ScoreStore {
  modelOf(store);
  fallbackOf(store);
  return openStore(store);
}
