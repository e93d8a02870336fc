import type { Logger } from 'pino';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { openModel, type Model } from '../../models/onnx/model.ts';
import { CorruptFileError } from '../../warehouse/errors.ts';
import { modelOf } from '../../warehouse/store/model.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { describeError } from '../redact.ts';

/** Models of the store versions in memory. Each model is opened before its store is used. */
export type StoreModels = {
  /**
   * Opens the model of a store before the store is used. If the model is refused, the refusal is logged and the store
   * is used without a model. Returns false when the model's bytes differ from the published bytes; the caller may then
   * try another copy.
   */
  prepare: (store: ScoreStore, files: StoreFiles) => boolean;
  /** Returns the model of the store; undefined when the store has no model. */
  modelFor: (store: ScoreStore) => Model | undefined;
};

/** Creates an empty collection of models. */
export function createStoreModels(log: Logger): StoreModels {
  // A model is released together with its store, after the last answer from it.
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
        log.error(facts, 'model refused, scores use statistics only');
        return !(error instanceof CorruptFileError);
      }
    },
    modelFor: (store) => models.get(store),
  };
}
