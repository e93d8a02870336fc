import { AsyncLocalStorage } from 'node:async_hooks';
import { FEATURES } from '../../models/features.ts';
import type { Model } from '../../models/onnx/model.ts';
import { keyOf, type ImportedModel, type Predictions } from './imported-model.ts';

/**
 * One attempt to compute an answer. Scoring is synchronous, but an imported model predicts in another thread, so
 * scoring reads its predictions from memory. If predictions are missing, the model computes them, and the whole answer
 * is computed again.
 */
type Pass = {
  /** The predictions of the imported model that are already computed. */
  known: Predictions;
  missing: Map<string, Float32Array>;
  /** The imported model of the answer's store; absent until scoring needs a model. */
  model?: ImportedModel;
  /** Whether our own model must compute the whole answer, because the imported model is not available. */
  isFallback: boolean;
};

export type Passes = {
  /**
   * Returns the result of `work`. All flights of an answer are scored by one model: by the imported model, or by our
   * own. `work` must have no side effects, because it may run several times.
   */
  complete: <T>(work: () => T | Promise<T>) => Promise<T>;
  /** Returns a model that uses the imported model, or our own model while the imported model is unavailable. */
  combine: (imported: ImportedModel, own: Model | undefined) => Model;
  /** Returns whether the imported model computes the current answer. */
  usesImported: (imported: ImportedModel) => boolean;
};

/** Maximum number of attempts. A second attempt may need new predictions, because forecasts change. */
const MAX_PASSES = 3;

const WIDTH = FEATURES.length;

export function createPasses(): Passes {
  const current = new AsyncLocalStorage<Pass>();
  const usesImported = (imported: ImportedModel) => {
    const isServing = imported.state.state === 'serving';
    const pass = current.getStore();
    if (!pass) return isServing;
    pass.model = imported;
    pass.isFallback ||= !isServing;
    return !pass.isFallback;
  };
  return {
    complete: async (work) => {
      const known: Predictions = new Map();
      let model: ImportedModel | undefined;
      for (let count = 0; count < MAX_PASSES; count++) {
        const pass: Pass = { known, missing: new Map(), isFallback: false };
        const result = await current.run(pass, work);
        model = pass.model;
        const isUniform = !pass.isFallback || known.size + pass.missing.size === 0;
        if (!isUniform) break;
        if (pass.isFallback) model?.countFallback();
        if (!model || pass.missing.size === 0) return result;
        const predictions = await model.predict(pass.missing).catch(() => undefined);
        if (!predictions) break;
        for (const [key, probability] of predictions) known.set(key, probability);
      }
      model?.countFallback();
      return current.run({ known, missing: new Map(), isFallback: true }, work);
    },
    combine: (imported, own) => ({
      get metadata() {
        return usesImported(imported) || !own ? imported.metadata : own.metadata;
      },
      predict: (rows) => {
        const pass = current.getStore();
        if (pass && usesImported(imported)) return lookUp(rows, pass, imported);
        if (own) return own.predict(rows);
        throw new Error('the imported model failed, and the store has no other model');
      },
    }),
    usesImported,
  };
}

/**
 * Reads the probabilities from memory. A missing probability becomes 0 for now, because the answer will be computed
 * again.
 */
function lookUp(
  rows: Float32Array,
  { known, missing }: Pass,
  { recall }: ImportedModel,
): Float32Array {
  const probabilities = new Float32Array(rows.length / WIDTH);
  for (let at = 0; at < probabilities.length; at++) {
    const row = rows.subarray(at * WIDTH, (at + 1) * WIDTH);
    const key = keyOf(row);
    const probability = known.get(key) ?? recall(key);
    if (probability === undefined) missing.set(key, row.slice());
    else known.set(key, probability);
    probabilities[at] = probability ?? 0;
  }
  return probabilities;
}
