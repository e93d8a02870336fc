import { ModelOutputError } from './errors.ts';
import { evaluator } from './evaluate.ts';
import { inspectModel, type Contract } from './inspect.ts';
import type { ModelMetadata } from './metadata.ts';

/** A model that has passed every check, ready to answer. */
export type Model = {
  metadata: ModelMetadata;
  /** P(delayed) for each of the rows of features, which lie one after the other; NaN where a feature is missing. */
  predict: (rows: Float32Array) => Float32Array;
};

/**
 * Opens an ONNX file as a model for these features; throws a `ModelRefusedError` for any other file,
 * also for one that is damaged or answers with no probability.
 */
export function openModel(bytes: Uint8Array, expected: Contract): Model {
  const { metadata, graph } = inspectModel(bytes, expected);
  const width = expected.features.length;
  const answer = evaluator(graph, width);
  const predict = (rows: Float32Array): Float32Array => {
    if (rows.length % width !== 0) {
      throw new RangeError(`${rows.length} features, not ${width} a row`);
    }
    const answers = new Float32Array(rows.length / width);
    for (let row = 0; row < answers.length; row++) answers[row] = answer(rows, row * width);
    return answers;
  };
  checkOutput(predict, width);
  return { metadata, predict };
}

/** A row of zeros and one with nothing known must give probabilities. */
function checkOutput(predict: Model['predict'], width: number): void {
  const answers = predict(new Float32Array(2 * width).fill(Number.NaN, width));
  const wrong = answers.find((answer) => !(answer >= 0 && answer <= 1));
  if (wrong !== undefined) throw new ModelOutputError(`answers ${wrong}, which is no probability`);
}
