/** Weight of the statistical score when there is a model; 70 % in the specification. */
export const LINEAR_SHARE = 0.7;

/** Weight of the model at a confidence of 0.5 or more; 30 % in the specification. */
const ML_SHARE = 0.3;

/**
 * Blends the two scores by the specification's rule, before rounding:
 * 70 % statistical score + 30 % ML score x min(1, 2 x confidence). Scores are 0 to 100, confidence 0 to 1.
 */
export function blend(linear: number, ml: number, confidence: number): number {
  return LINEAR_SHARE * linear + mlShare(confidence) * ml;
}

/** Weight of the model at a confidence from 0 to 1. The weight falls below a confidence of 0.5. */
export function mlShare(confidence: number): number {
  return ML_SHARE * fadeFactor(confidence);
}

/** Share of the model's full weight at a confidence from 0 to 1. The share is 1 at a confidence of 0.5 or more. */
export function fadeFactor(confidence: number): number {
  return Math.min(1, 2 * confidence);
}
