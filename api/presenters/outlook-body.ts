import { round } from '../../warehouse/ground/round.ts';
import { interval, INTERVAL_LEVEL, outlook } from '../../models/outlook.ts';
import type { Model } from '../../models/onnx/model.ts';
import type { Assessment } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { IntervalBody, OutlookBody } from '../schemas/outlook.ts';

/** `outlook` of an answer; null when it has no ML part. `model` is the one of the store that answers. */
export function outlookBodyOf(assessment: Assessment, model: Model | undefined): OutlookBody {
  return (model && outlook(assessment, model.metadata.outlook)) ?? null;
}

/** `interval` of an answer: the score in points; its ML probability in percent, and null when there is none. Null without evidence. */
export function intervalBodyOf(assessment: Assessment, store: ScoreStore): IntervalBody {
  const range = interval(assessment, store.network.priorFlights);
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
