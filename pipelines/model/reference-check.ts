import { FEATURES } from '../../models/features.ts';
import type { Model } from '../../models/onnx/model.ts';
import type { TrainingData } from '../../warehouse/build/training-rows.ts';

type Predict = Pick<Model, 'predict'>;

/** Number of training rows that both runtimes evaluate. This is enough to reach every part of a forest. */
const SAMPLE_ROWS = 5_000;

/**
 * Largest accepted difference of a probability. ONNX Runtime rounds to 24 bits after each step, which changes a
 * probability by up to 2e-7; see docs/model.md.
 */
const TOLERANCE = 1e-6;

/**
 * Compares a model with ONNX Runtime on a sample of its training rows, a row of zeros and a row of missing features.
 * Describes the disagreement; undefined if they agree.
 */
export function describeDisagreement(
  ours: Predict,
  reference: Predict,
  { columns }: Pick<TrainingData, 'columns'>,
): string | undefined {
  const rows = sampleRows(columns);
  const [own, expected] = [ours.predict(rows), reference.predict(rows)];
  let worst = 0;
  for (const [row, probability] of own.entries()) {
    const error = Math.abs(probability - (expected[row] as number));
    worst = Number.isNaN(error) ? Infinity : Math.max(worst, error);
  }
  if (worst <= TOLERANCE) return undefined;
  return `its probabilities differ from those of ONNX Runtime by up to ${Number.isFinite(worst) ? worst.toExponential(1) : 'NaN'} on ${own.length} rows`;
}

/** Selects training rows evenly, and adds a row of zeros and a row of missing features. */
function sampleRows(columns: TrainingData['columns']): Float32Array {
  const count = columns['flight_count']?.length ?? 0;
  const step = Math.max(1, Math.floor(count / SAMPLE_ROWS));
  const picked = Array.from({ length: Math.floor(count / step) }, (_, at) => at * step);
  const width = FEATURES.length;
  const rows = new Float32Array((picked.length + 2) * width).fill(
    Number.NaN,
    (picked.length + 1) * width,
  );
  for (const [at, row] of picked.entries()) {
    for (const [column, { name }] of FEATURES.entries()) {
      rows[at * width + column] = columns[name]?.[row] ?? 0;
    }
  }
  return rows;
}
