import { interval, INTERVAL_LEVEL, outlook, OUTCOMES, type Range } from '../../models/outlook.ts';
import type { Model } from '../../models/onnx/session.ts';
import type { Assessment } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { IntervalBody, OutlookBody } from '../schemas/outlook.ts';
import { round } from './round.ts';

/** `outlook` of an answer; null when it has no ML part. `model` is the one of the store that answers. */
export function outlookBodyOf(assessment: Assessment, model: Model | undefined): OutlookBody {
  const found = model && outlook(assessment, model.metadata.outlook);
  if (!found) return null;
  return OUTCOMES.map((outcome) => ({ outcome, probability: found[outcome] }));
}

/** `interval` of an answer: the score in points, `ml_probability` in percent and null when there is none. */
export function intervalBodyOf(assessment: Assessment, store: ScoreStore): IntervalBody {
  const { mlProbability, score } = interval(assessment, store.network.priorFlights);
  return {
    level: INTERVAL_LEVEL,
    ml_probability: mlProbability ? percentRange(mlProbability) : null,
    score,
  };
}

function percentRange([low, high]: Range): Range {
  return [round(100 * low, 2), round(100 * high, 2)];
}
