import { sha256 } from '../ground/sha256.ts';
import { CorruptFileError } from '../errors.ts';
import { sealManifest } from './manifest.ts';
import { openStore, type StoreFiles } from './open.ts';
import type { ScoreStore } from './types.ts';

/** File of the model inside a store version. */
const MODEL_FILE = 'model.onnx';

/** A model as it is handed to a store. */
export type ModelFile = {
  version: string;
  /** The ONNX file. */
  bytes: Uint8Array;
  /** Hash of the features it was trained for. */
  contract: string;
};

/** The store with the model in it, under the version that both together have. */
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
 * The ONNX file of the store; undefined when it has no model.
 * Throws `CorruptFileError` when it is missing or not what the manifest says; the tables may be sound all the same.
 */
export function modelOf({ manifest, files }: StoreFiles): Uint8Array | undefined {
  const { model, version } = manifest;
  if (!model) return undefined;
  const bytes = files.get(model.file);
  if (!bytes) throw new CorruptFileError(model.file, `missing from ${version}`);
  if (sha256(bytes) !== model.sha256) {
    throw new CorruptFileError(model.file, `its sha256 is not that of ${version}`);
  }
  return bytes;
}

/** The store in memory, after its model was checked, too; for whoever passes it on. Throws `CorruptFileError`. */
export function openWholeStore(store: StoreFiles): ScoreStore {
  modelOf(store);
  return openStore(store);
}
