import { betaQuantile } from './beta.ts';
import { blend } from './blend.ts';
import { applyDanger } from './danger.ts';
import { UNITS, type DelayCurve } from './delay-curve.ts';
import { strengthOf } from './evidence.ts';
import { logit } from '../warehouse/ground/log-odds.ts';
import { pointLine, scorePoints } from './points.ts';
import type { Assessment } from './types.ts';

/** Possible outcomes of a flight, in order: the classes of minutes late at the gate, then diverted and cancelled. */
export const OUTCOMES = [
  'under_15',
  'from_15_to_30',
  'from_30_to_60',
  'from_60_to_120',
  'over_120',
  'diverted',
  'cancelled',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Probability of each outcome; adds up to 1. `beyond120` splits `over_120`. */
export type Outlook = Record<Outcome, number> & {
  beyond120: { from_120_to_180: number; over_180: number };
};

/**
 * Returns the outlook of a flight, from the differences between the points of its curve. Probabilities have four
 * decimals and add up to 1. The outcomes above 30 minutes add up to the model's probability.
 */
export function buildOutlook({ late, cancelled, diverted }: DelayCurve): Outlook {
  const [over15 = 0, over30 = 0, , over60 = 0, , over120 = 0, over180 = 0] = late.map(toUnits);
  const arrivedUnits = UNITS - toUnits(cancelled) - toUnits(diverted);
  const share = (units: number) => units / UNITS;
  return {
    under_15: share(arrivedUnits - over15),
    from_15_to_30: share(over15 - over30),
    from_30_to_60: share(over30 - over60),
    from_60_to_120: share(over60 - over120),
    over_120: share(over120),
    diverted,
    cancelled,
    beyond120: { from_120_to_180: share(over120 - over180), over_180: share(over180) },
  };
}

function toUnits(probability: number): number {
  return Math.round(probability * UNITS);
}

/** Lower and upper end of an interval. */
export type Range = [low: number, high: number];

/** Probability that an interval contains the true value. */
export const INTERVAL_LEVEL = 0.9;

const TAILS = [(1 - INTERVAL_LEVEL) / 2, (1 + INTERVAL_LEVEL) / 2] as const;

export type Interval = { mlProbability?: Range; score: Range };

/**
 * Returns a range for the long-run delay rate of flights like this one, and a range for the score. The less history
 * there is, the wider the ranges: `strengthOf` returns the weight of the history in flights. `priorFlights` is n0.
 * Events in force widen the ranges, because their reports may be wrong. The ranges include neither the randomness of a
 * single flight nor errors of the model. Undefined without flights on the route.
 */
export function buildInterval(assessment: Assessment, priorFlights: number): Interval | undefined {
  const { tier, stats, calmProbability, confidence, logOdds, danger } = assessment;
  const strength = strengthOf(tier, stats, assessment, priorFlights);
  if (strength === undefined) return undefined;
  const rates = rangeOf(stats.delayedRate, strength);
  const probabilities = probabilityRange(assessment, priorFlights);
  const scoreAt = (end: 0 | 1) => {
    const eventChange = danger === undefined ? 0 : danger.range[end] - danger.logOdds;
    const modelPart =
      calmProbability === undefined
        ? undefined
        : { mlProbability: probabilityAt(assessment, calmProbability, end), confidence };
    const { score } = scorePoints(logOdds + eventChange, modelPart);
    const recordChange = logit(rates[end]) - logit(stats.delayedRate);
    const modelChange =
      probabilities === undefined || modelPart === undefined
        ? 0
        : probabilities[end] - modelPart.mlProbability;
    // The change is added after the score is limited to 0 to 100. A score at a limit therefore also gets a range.
    const change =
      pointLine(modelPart).slope * recordChange + blend(0, 100 * modelChange, confidence);
    return Math.round(Math.min(100, Math.max(0, score + change)));
  };
  // In a skewed distribution, the mean can be outside the interval. Widen the range to include the score of the answer.
  const score: Range = [
    Math.min(scoreAt(0), assessment.score),
    Math.max(scoreAt(1), assessment.score),
  ];
  return { ...(probabilities && { mlProbability: probabilities }), score };
}

/**
 * Returns the range of the model's probability, as in `buildInterval`. Undefined without a model or without flights on
 * the route.
 */
export function probabilityRange(assessment: Assessment, priorFlights: number): Range | undefined {
  const { tier, stats, calmProbability } = assessment;
  const strength = strengthOf(tier, stats, assessment, priorFlights);
  if (strength === undefined || calmProbability === undefined) return undefined;
  const [low, high] = rangeOf(calmProbability, strength);
  return [probabilityAt(assessment, low, 0), probabilityAt(assessment, high, 1)];
}

/** Returns the probability under the smallest (`end` 0) or largest (`end` 1) effect of the events in force. */
function probabilityAt(
  { stats, confidence, danger }: Assessment,
  late: number,
  end: 0 | 1,
): number {
  const atEnd = danger && { ...danger, logOdds: danger.range[end] };
  return applyDanger({ late, cancelled: stats.cancelledRate }, atEnd, confidence).late;
}

/** Rates are clamped to [MIN_RATE, 1 - MIN_RATE]. */
const MIN_RATE = 1e-6;

function rangeOf(rate: number, strength: number): Range {
  const clampedRate = Math.min(1 - MIN_RATE, Math.max(MIN_RATE, rate));
  const [a, b] = [clampedRate * strength, (1 - clampedRate) * strength];
  const [low, high] = TAILS.map((tail) => betaQuantile(tail, a, b)) as Range;
  return [Math.min(low, rate), Math.max(high, rate)];
}
