import { round } from '../../warehouse/ground/numbers.ts';
import { DELAY_MINUTES } from '../../models/delay-curve.ts';
import { flightBand, flightCurve, type ScoredFlight } from '../../models/flight-curve.ts';
import { buildInterval, INTERVAL_LEVEL, buildOutlook } from '../../models/outlook.ts';
import type { Assessment } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { DistributionBody } from '../schemas/distribution.ts';
import type { IntervalBody, OutlookBody } from '../schemas/outlook.ts';

/** Builds the field `outlook` of an answer. Null without a probability from the model. */
export function outlookBodyOf(flight: ScoredFlight): OutlookBody {
  const curve = flightCurve(flight);
  if (!curve) return null;
  const { beyond120, ...outcomes } = buildOutlook(curve);
  return { ...outcomes, beyond_120: beyond120 };
}

/** Builds the field `distribution` of an answer. Null without a probability from the model. */
export function distributionBodyOf(flight: ScoredFlight): DistributionBody {
  const band = flightBand(flight);
  if (!band) return null;
  const { curve, low, high } = band;
  const outcome = (key: 'diverted' | 'cancelled') => ({
    probability: curve[key],
    low: low[key],
    high: high[key],
  });
  return {
    level: INTERVAL_LEVEL,
    late: DELAY_MINUTES.map((minutes, at) => ({
      minutes,
      probability: curve.late[at] as number,
      low: low.late[at] as number,
      high: high.late[at] as number,
    })),
    diverted: outcome('diverted'),
    cancelled: outcome('cancelled'),
  };
}

/**
 * Builds the field `interval` of an answer: the range of the score in points, and the range of the model's probability
 * in percent. The second range is null without a model. Returns null if route, airports and airline have no record.
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
