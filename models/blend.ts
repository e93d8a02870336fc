/** Share of the statistical score in a score with a model; the specification's 70 %. */
export const LINEAR_SHARE = 0.7;

/** Share of the model at full confidence; the specification's 30 %. */
const ML_SHARE = 0.3;

/**
 * The specification's rule, before rounding: 70 % statistical score + 30 % ML score x min(1, 2 x confidence).
 * Scores are 0 to 100, confidence 0 to 1.
 */
export function blend(linear: number, ml: number, confidence: number): number {
  return LINEAR_SHARE * linear + mlShare(confidence) * ml;
}

/** Share of the model in a score at that confidence (0 to 1): it shrinks below a confidence of one half. */
export function mlShare(confidence: number): number {
  return ML_SHARE * fadedBy(confidence);
}

/** What the rule leaves of the model's full share at that confidence: all of it from one half on. */
export function fadedBy(confidence: number): number {
  return Math.min(1, 2 * confidence);
}
