import type { Logger } from 'pino';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { openModel, type Model } from '../../models/onnx/session.ts';
import { CorruptFileError } from '../../warehouse/errors.ts';
import { modelOf } from '../../warehouse/store/model.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { describeError } from '../redact.ts';

/** The models of the store versions in memory, each opened before its store serves and closed after it. */
export type StoreModels = {
  /**
   * Opens the model of a store that is about to serve; one that must not serve is left out and logged.
   * False when its bytes are not those that were published: another copy may be sound.
   */
  prepare: (store: ScoreStore, files: StoreFiles) => Promise<boolean>;
  /** The model of the store; undefined when it has none. */
  of: (store: ScoreStore) => Model | undefined;
  /** Closes the model of a store that serves no more, once the answers under way are out. */
  retire: (store: ScoreStore) => void;
  /** Closes all models. */
  close: () => Promise<void>;
};

/** Longer than any answer takes, so that none loses the model it began with. */
const RETIRE_AFTER_MS = 30_000;

/** An empty shelf. */
export function createStoreModels(log: Logger, retireAfterMs = RETIRE_AFTER_MS): StoreModels {
  const models = new Map<ScoreStore, Model>();
  const closeModel = async (store: ScoreStore): Promise<void> => {
    const model = models.get(store);
    models.delete(store);
    await model?.close();
  };
  return {
    prepare: async (store, files) => {
      const { version, model: entry } = store.manifest;
      try {
        const bytes = modelOf(files);
        if (bytes) models.set(store, await openModel(bytes, MODEL_CONTRACT));
        return true;
      } catch (error) {
        const facts = { version, model: entry?.version, error: describeError(error) };
        log.error(facts, 'model refused, scores rest on statistics alone');
        return !(error instanceof CorruptFileError);
      }
    },
    of: (store) => models.get(store),
    retire: (store) => {
      setTimeout(() => void closeModel(store), retireAfterMs).unref();
    },
    close: async () => {
      await Promise.all([...models.keys()].map((store) => closeModel(store)));
    },
  };
}
