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

/** Metadata of an imported model, and its state in this process. */
export type ImportedFacts = Readonly<Pick<ImportedModel, 'metadata' | 'state'>>;

/** The models of all loaded stores. */
export type StoreModels = {
  /**
   * Opens the model of a store; must be called before the store is used. If the model is unusable, the error is logged
   * and the store is used without a model. Returns false if the model file is damaged; the caller may then try another
   * copy.
   */
  prepare: (store: ScoreStore, files: StoreFiles) => Promise<boolean>;
  /** Returns the model of the store; undefined when the store has no model. */
  modelFor: (store: ScoreStore) => Model | undefined;
  /** Returns the version of the model that computes the current answer; undefined when the store has no model. */
  versionFor: (store: ScoreStore) => string | undefined;
  /** Returns the imported model of the store; undefined if the store has no imported model. */
  importedFor: (store: ScoreStore) => ImportedFacts | undefined;
  /**
   * Returns the result of `work`. With an imported model, `work` may run several times until all predictions are known,
   * so `work` must have no side effects.
   */
  complete: <T>(work: () => T) => T | Promise<Awaited<T>>;
  /** Returns the state of the newest store's imported model; undefined if the newest store has no imported model. */
  currentImported: () => Readonly<ImportedState> | undefined;
  close: () => Promise<void>;
};

export type StoreModelOptions = {
  /** Time limit for a prediction of an imported model, in ms. */
  deadlineMs?: number;
  /** Called when an imported model starts or stops answering. */
  onChange?: (state: ImportedState) => void;
  now?: () => Date;
};

const DEADLINE_MS = 200;

const WIDTH = MODEL_CONTRACT.features.length;

/** After this time, requests no longer use the former store. */
const FORMER_STORE_MS = 10_000;

export function createStoreModels(
  log: Pick<Logger, 'error' | 'warn' | 'info'>,
  { deadlineMs = DEADLINE_MS, onChange, now = () => new Date() }: StoreModelOptions = {},
): StoreModels {
  // With a `WeakMap`, a model is freed together with its store.
  const models = new WeakMap<ScoreStore, Model>();
  const importedModels = new WeakMap<ScoreStore, ImportedModel>();
  let current: ImportedModel | undefined;
  const passes = createPasses();
  /** Imported models that may still be in use. */
  const openModels = new Set<ImportedModel>();

  const openImported = async (version: string, bytes: Uint8Array): Promise<ImportedModel> => {
    if (current?.state.version === version) return current;
    const { metadata, spec } = inspectModel(bytes, MODEL_CONTRACT);
    const imported = openImportedModel(metadata, WIDTH, {
      ...{ version, deadlineMs, now },
      start: () => startRuntime(bytes, spec, WIDTH),
      onChange: (state) => {
        if (state.state === 'serving') log.info(state, 'imported model answers again');
        else log.error(state, 'imported model failed; scores use our own model');
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
  /** Replaces the current imported model. The former model is closed after the last requests of its store. */
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
