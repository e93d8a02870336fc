import { AsyncLocalStorage } from 'node:async_hooks';
import { FEATURES } from '../../models/features.ts';
import type { Model } from '../../models/onnx/model.ts';
import { keyOf, type ImportedModel, type Predictions } from './imported-model.ts';

/**
 * One computation of an answer. An imported model runs in a thread, but scoring is synchronous. Therefore an answer is
 * computed with the predictions in memory. If rows were missing, the model predicts these rows, and the answer is
 * computed again.
 */
type Pass = {
  /** All predictions that the answer has used or waited for. */
  known: Predictions;
  missing: Map<string, Float32Array>;
  /** The imported model of the answer's store; absent until the answer asks for a model. */
  model?: ImportedModel;
  /** The imported model cannot answer, so our own model computes the whole answer. */
  isFallback: boolean;
};

export type Passes = {
  /**
   * Returns the result of `work`, with the imported model for every flight, or else with our own model for every
   * flight. `work` may run several times, so it must change nothing when it scores.
   */
  complete: <T>(work: () => T | Promise<T>) => Promise<T>;
  /** Combines an imported model with our own model that answers when the imported model cannot. */
  combine: (imported: ImportedModel, own: Model | undefined) => Model;
  /** Whether the imported model computes the current answer. */
  usesImported: (imported: ImportedModel) => boolean;
};

/** A forecast may change between two passes, which changes rows. */
const MAX_PASSES = 3;

const WIDTH = FEATURES.length;

/** Creates the passes of a process. */
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
        throw new Error('the imported model failed, and the store has none of our own models');
      },
    }),
    usesImported,
  };
}

/** Looks the rows up in memory. A missing row gets 0, because the answer is computed again. */
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
