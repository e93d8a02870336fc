import marksFile from './score-marks.json' with { type: 'json' };
import { blend, fadedBy, LINEAR_SHARE } from './blend.ts';
import { logit } from '../warehouse/ground/log-odds.ts';

/** What the model says of a flight (0 to 1), and how far the record is to be trusted (0 to 1). */
export type ModelSay = { mlProbability: number; confidence: number };

/** Points rise in a straight line with log-odds: none at `zero`, `slope` more for each log-odds more. */
export type Line = { zero: number; slope: number };

/** A line as it is sealed: the rate of flights delayed or cancelled at which it begins, and points for twice the odds. */
export type Mark = { zeroRate: number; pointsPerDoubling: number };

/** Points of the final score from the statistics: with the model's part on top, and where there is none. */
const WITH_MODEL = lineOf(marksFile.marks.withModel);
const ALONE = lineOf(marksFile.marks.alone);

export function lineOf({ zeroRate, pointsPerDoubling }: Mark): Line {
  return { zero: logit(zeroRate), slope: pointsPerDoubling / Math.LN2 };
}

/**
 * The statistics' line of points of the final score. Below a confidence of one half the specification lets the model's
 * part fade; in the same measure the line goes over into that without a model, so that like odds have like scores.
 */
export function pointLine(say: ModelSay | undefined): Line {
  if (say === undefined) return ALONE;
  const share = fadedBy(say.confidence);
  const slope = share * WITH_MODEL.slope + (1 - share) * ALONE.slope;
  const rise = share * WITH_MODEL.slope * WITH_MODEL.zero + (1 - share) * ALONE.slope * ALONE.zero;
  return { zero: rise / slope, slope };
}

export type Points = {
  /** Statistical score, 0 to 100, and the final one, both before rounding. */
  linear: number;
  score: number;
  /** Points of the final score that are statistical: all of them, or 70 in a hundred of `linear`. */
  statistical: number;
};

/**
 * The scores of a flight whose log-odds of being delayed or cancelled are so many by the statistics. The specification's
 * rule blends what is served, so the statistical score is held between 0 and 100 before it.
 */
export function scorePoints(logOdds: number, say: ModelSay | undefined): Points {
  const { zero, slope } = pointLine(say);
  const share = say === undefined ? 1 : LINEAR_SHARE;
  const linear = Math.min(100, Math.max(0, (slope * (logOdds - zero)) / share));
  const score = say === undefined ? linear : blend(linear, 100 * say.mlProbability, say.confidence);
  return { linear, score, statistical: share * linear };
}
