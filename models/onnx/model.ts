import { ModelFileError, ModelOutputError } from './errors.ts';
import { buildEvaluator } from './evaluate.ts';
import { inspectModel, type Contract } from './inspect.ts';
import type { ModelMetadata } from './metadata.ts';

/** A model that passed every check. */
export type Model = {
  metadata: ModelMetadata;
  /** Returns P(delayed) for each row of features; rows are consecutive, and NaN is a missing feature. */
  predict: (rows: Float32Array) => Float32Array;
};

/**
 * Opens an ONNX file as a model for these features. Throws a `ModelRefusedError` for any other file, for a damaged
 * file, and for a model whose output is not a probability.
 */
export function openModel(bytes: Uint8Array, expected: Contract): Model {
  const { metadata, graph } = inspectModel(bytes, expected);
  if (metadata.imported) throw new ModelFileError('an imported model runs only in ONNX Runtime');
  const width = expected.features.length;
  const predictRow = buildEvaluator(graph, width);
  const predict = (rows: Float32Array): Float32Array => {
    if (rows.length % width !== 0) {
      throw new RangeError(
        `${rows.length} values cannot be divided into rows of ${width} features`,
      );
    }
    const probabilities = new Float32Array(rows.length / width);
    for (let row = 0; row < probabilities.length; row++) {
      probabilities[row] = predictRow(rows, row * width);
    }
    return probabilities;
  };
  checkOutput(predict, width);
  return { metadata, predict };
}

/** Checks that a row of zeros and a row of missing features give probabilities. */
function checkOutput(predict: Model['predict'], width: number): void {
  const probabilities = predict(new Float32Array(2 * width).fill(Number.NaN, width));
  const invalidValue = probabilities.find((probability) => !(probability >= 0 && probability <= 1));
  if (invalidValue !== undefined) {
    throw new ModelOutputError(`predicts ${invalidValue}, which is not a probability`);
  }
}
