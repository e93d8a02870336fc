import { round } from '../../warehouse/ground/round.ts';
import { buildInterval, INTERVAL_LEVEL, buildOutlook } from '../../models/outlook.ts';
import type { Model } from '../../models/onnx/model.ts';
import type { Assessment } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { IntervalBody, OutlookBody } from '../schemas/outlook.ts';

/** Builds the field `outlook` of an answer; null when the answer has no ML part. `model` is the model of the store. */
export function outlookBodyOf(assessment: Assessment, model: Model | undefined): OutlookBody {
  return (model && buildOutlook(assessment, model.metadata.outlook)) ?? null;
}

/**
 * Builds the field `interval` of an answer, with the range of the score in points. The range of the ML probability is
 * in percent, or null without a model. Returns null when there is no evidence for the route, the airports or the
 * airline.
 */
export function intervalBodyOf(assessment: Assessment, store: ScoreStore): IntervalBody {
  const range = buildInterval(assessment, store.network.priorFlights);
  if (range === undefined) return null;
  const { mlProbability, score } = range;
  const [low, high] = score;
  return {
    level: INTERVAL_LEVEL,
    low,
    high,
    ml_probability: mlProbability
      ? { low: round(100 * mlProbability[0], 2), high: round(100 * mlProbability[1], 2) }
      : null,
  };
}
