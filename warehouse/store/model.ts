import { sha256 } from '../ground/sha256.ts';
import { CorruptFileError } from '../errors.ts';
import { sealManifest } from './manifest.ts';
import { openStore, type StoreFiles } from './open.ts';
import type { ScoreStore } from './types.ts';

/** File of the model inside a store version. */
const MODEL_FILE = 'model.onnx';

/** A model to add to a store. */
export type ModelFile = {
  version: string;
  /** The ONNX file. */
  bytes: Uint8Array;
  /** Hash of the features for which the model was trained. */
  contract: string;
};

/** Adds the model to the store. The store with the model gets a new version. */
export function withModel({ manifest, files }: StoreFiles, model: ModelFile): StoreFiles {
  const { version: _, ...content } = manifest;
  const entry = {
    file: MODEL_FILE,
    version: model.version,
    bytes: model.bytes.length,
    sha256: sha256(model.bytes),
    contract: model.contract,
  };
  return {
    manifest: sealManifest({ ...content, model: entry }),
    files: new Map(files).set(MODEL_FILE, model.bytes),
  };
}

/**
 * Returns the ONNX file of the store; undefined if the store has no model. Throws `CorruptFileError` if the ONNX file
 * is missing or damaged; in that case the tables may still be intact.
 */
export function modelOf({ manifest, files }: StoreFiles): Uint8Array | undefined {
  const { model, version } = manifest;
  if (!model) return undefined;
  const bytes = files.get(model.file);
  if (!bytes) throw new CorruptFileError(model.file, `missing from ${version}`);
  if (sha256(bytes) !== model.sha256) {
    throw new CorruptFileError(model.file, `its sha256 does not match ${version}`);
  }
  return bytes;
}

/** Opens the store and also checks the store's model, for callers that pass the store on. Throws `CorruptFileError`. */
export function openVerifiedStore(store: StoreFiles): ScoreStore {
  modelOf(store);
  return openStore(store);
}
