import marksFile from './score-marks.json' with { type: 'json' };
import { blend, fadeFactor, LINEAR_SHARE } from './blend.ts';
import { logit } from '../warehouse/ground/log-odds.ts';

/** The model's P(delayed), 0 to 1, and the confidence in the record, 0 to 1. */
export type ModelPart = { mlProbability: number; confidence: number };

/** A straight line from log-odds to points: 0 points at `zero`, and `slope` more points per unit of log-odds. */
export type Line = { zero: number; slope: number };

/**
 * A line as stored: the rate of delayed or cancelled flights at 0 points, and the points added when the odds double.
 */
export type Mark = { zeroRate: number; pointsPerDoubling: number };

/** Lines from statistical log-odds to points of the final score, with a model and without. */
const WITH_MODEL = lineOf(marksFile.marks.withModel);
const STATISTICS_ONLY = lineOf(marksFile.marks.alone);

export function lineOf({ zeroRate, pointsPerDoubling }: Mark): Line {
  return { zero: logit(zeroRate), slope: pointsPerDoubling / Math.LN2 };
}

/**
 * Returns the line from statistical log-odds to points of the final score. Below a confidence of 0.5, the model has
 * less weight (specification). In the same proportion, the line moves toward the line without a model, so that equal
 * odds get equal scores.
 */
export function pointLine(modelPart: ModelPart | undefined): Line {
  if (modelPart === undefined) return STATISTICS_ONLY;
  const share = fadeFactor(modelPart.confidence);
  const slope = share * WITH_MODEL.slope + (1 - share) * STATISTICS_ONLY.slope;
  const rise =
    share * WITH_MODEL.slope * WITH_MODEL.zero +
    (1 - share) * STATISTICS_ONLY.slope * STATISTICS_ONLY.zero;
  return { zero: rise / slope, slope };
}

export type Points = {
  /** Statistical and final score, 0 to 100, before rounding. */
  linear: number;
  score: number;
  /**
   * Points of the final score that come from the statistics. With a model, they are 70 % of `linear`. Without a model,
   * they are all of `linear`.
   */
  statistical: number;
};

/**
 * Computes the scores from the statistical log-odds of being delayed or cancelled. The statistical score is clamped to
 * 0–100 before blending, because the specification blends the score that is returned.
 */
export function scorePoints(logOdds: number, modelPart: ModelPart | undefined): Points {
  const { zero, slope } = pointLine(modelPart);
  const share = modelPart === undefined ? 1 : LINEAR_SHARE;
  const linear = Math.min(100, Math.max(0, (slope * (logOdds - zero)) / share));
  const score =
    modelPart === undefined
      ? linear
      : blend(linear, 100 * modelPart.mlProbability, modelPart.confidence);
  return { linear, score, statistical: share * linear };
}
