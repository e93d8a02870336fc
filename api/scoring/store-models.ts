import type { Logger } from 'pino';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { inspectModel } from '../../models/onnx/inspect.ts';
import { openModel, type Model } from '../../models/onnx/model.ts';
import { CorruptFileError } from '../../warehouse/errors.ts';
import { fallbackOf, modelOf } from '../../warehouse/store/model.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { describeError } from '../redact.ts';
import { startRuntime } from '../../models/runtime/runtime.ts';
import { openImportedModel, type ImportedModel } from './imported-model.ts';
import type { ImportedState } from './model-service.ts';
import { createPasses } from './passes.ts';

/** The metadata of an imported model, and its state in this process. */
export type ImportedFacts = Readonly<Pick<ImportedModel, 'metadata' | 'state'>>;

/** Models of the store versions in memory. Each model is opened before its store is used. */
export type StoreModels = {
  /**
   * Opens the model of a store before the store is used. If the model is refused, the refusal is logged and the store
   * is used without a model. Returns false when the model's bytes differ from the published bytes; the caller may then
   * try another copy.
   */
  prepare: (store: ScoreStore, files: StoreFiles) => Promise<boolean>;
  /** Returns the model of the store; undefined when the store has no model. */
  modelFor: (store: ScoreStore) => Model | undefined;
  /** Returns the version of the model that computes the current answer; undefined when the store has no model. */
  versionFor: (store: ScoreStore) => string | undefined;
  /** Returns the imported model of the store; undefined when its model is not imported. */
  importedFor: (store: ScoreStore) => ImportedFacts | undefined;
  /**
   * Returns the result of `work`, which may score. With an imported model, waits for its predictions and runs `work`
   * again, so `work` must change nothing when it scores.
   */
  complete: <T>(work: () => T) => T | Promise<Awaited<T>>;
  /** Returns the state of the imported model of the newest store; undefined when its model is not imported. */
  currentImported: () => Readonly<ImportedState> | undefined;
  close: () => Promise<void>;
};

export type StoreModelOptions = {
  /** Time in which an imported model must answer, in ms. */
  deadlineMs?: number;
  /** Called when an imported model begins or ceases to answer. */
  onChange?: (state: ImportedState) => void;
  now?: () => Date;
};

const DEADLINE_MS = 200;

const WIDTH = MODEL_CONTRACT.features.length;

/** Requests of the former store end within this time. */
const FORMER_STORE_MS = 10_000;

/** Creates an empty collection of models. */
export function createStoreModels(
  log: Pick<Logger, 'error' | 'warn' | 'info'>,
  { deadlineMs = DEADLINE_MS, onChange, now = () => new Date() }: StoreModelOptions = {},
): StoreModels {
  // A model is released together with its store, after the last answer from it.
  const models = new WeakMap<ScoreStore, Model>();
  const importedModels = new WeakMap<ScoreStore, ImportedModel>();
  let current: ImportedModel | undefined;
  const passes = createPasses();
  /** Models whose answers may still be computed. */
  const openModels = new Set<ImportedModel>();

  const openImported = async (version: string, bytes: Uint8Array): Promise<ImportedModel> => {
    if (current?.state.version === version) return current;
    const { metadata, spec } = inspectModel(bytes, MODEL_CONTRACT);
    const imported = openImportedModel(metadata, WIDTH, {
      ...{ version, deadlineMs, now },
      start: () => startRuntime(bytes, spec, WIDTH),
      onChange: (state) => {
        if (state.state === 'serving') log.info(state, 'imported model answers again');
        else log.error(state, 'imported model failed, our own model answers');
        onChange?.(state);
      },
    });
    await imported.probe();
    openModels.add(imported);
    return imported;
  };
  const prepareImported = async (store: ScoreStore, files: StoreFiles, bytes: Uint8Array) => {
    const imported = await openImported(store.manifest.model?.version ?? '', bytes);
    const fallback = fallbackOf(files);
    models.set(store, passes.combine(imported, fallback && openModel(fallback, MODEL_CONTRACT)));
    importedModels.set(store, imported);
    return imported;
  };
  /** Makes the imported model current. The former one ends when requests of its store have ended. */
  const replaceCurrent = (next: ImportedModel | undefined) => {
    const former = current;
    current = next;
    if (former && former !== next) {
      setTimeout(() => {
        openModels.delete(former);
        void former.close();
      }, FORMER_STORE_MS).unref();
    }
  };
  return {
    prepare: async (store, files) => {
      const { version, model: entry } = store.manifest;
      let imported: ImportedModel | undefined;
      try {
        const bytes = modelOf(files);
        const isImported = bytes && inspectModel(bytes, MODEL_CONTRACT).metadata.imported;
        if (isImported) imported = await prepareImported(store, files, bytes);
        else if (bytes) models.set(store, openModel(bytes, MODEL_CONTRACT));
        return true;
      } catch (error) {
        const facts = { version, model: entry?.version, error: describeError(error) };
        log.error(facts, 'model refused, scores use statistics only');
        return !(error instanceof CorruptFileError);
      } finally {
        replaceCurrent(imported);
      }
    },
    modelFor: (store) => models.get(store),
    versionFor: (store) => {
      const { model, fallback } = store.manifest;
      const imported = importedModels.get(store);
      if (!imported) return models.has(store) ? model?.version : undefined;
      return passes.usesImported(imported) ? model?.version : fallback?.version;
    },
    importedFor: (store) => importedModels.get(store),
    complete: <T>(work: () => T) =>
      openModels.size > 0 ? passes.complete(work as () => Awaited<T>) : work(),
    currentImported: () => current?.state,
    close: async () => {
      for (const model of openModels) await model.close();
    },
  };
}
