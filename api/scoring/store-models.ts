import type { Logger } from 'pino';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { openModel, type Model } from '../../models/onnx/model.ts';
import { CorruptFileError } from '../../warehouse/errors.ts';
import { modelOf } from '../../warehouse/store/model.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { describeError } from '../redact.ts';

/** The models of the store versions in memory, each opened before its store serves. */
export type StoreModels = {
  /**
   * Opens the model of a store that is about to serve; one that must not serve is left out and logged.
   * False when its bytes are not those that were published: another copy may be sound.
   */
  prepare: (store: ScoreStore, files: StoreFiles) => boolean;
  /** The model of the store; undefined when it has none. */
  of: (store: ScoreStore) => Model | undefined;
};

/** An empty shelf. */
export function createStoreModels(log: Logger): StoreModels {
  // A model goes with its store, once no answer is made from it.
  const models = new WeakMap<ScoreStore, Model>();
  return {
    prepare: (store, files) => {
      const { version, model: entry } = store.manifest;
      try {
        const bytes = modelOf(files);
        if (bytes) models.set(store, openModel(bytes, MODEL_CONTRACT));
        return true;
      } catch (error) {
        const facts = { version, model: entry?.version, error: describeError(error) };
        log.error(facts, 'model refused, scores rest on statistics alone');
        return !(error instanceof CorruptFileError);
      }
    },
    of: (store) => models.get(store),
  };
}
