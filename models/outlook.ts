import { betaQuantile } from './beta.ts';
import { blend } from './blend.ts';
import { applyDanger } from './danger.ts';
import { strengthOf } from './evidence.ts';
import { logit } from '../warehouse/ground/log-odds.ts';
import type { OutlookShares } from './onnx/metadata.ts';
import { pointLine, scorePoints } from './points.ts';
import type { Assessment } from './types.ts';

/** Possible outcomes of a flight, in order: minutes late at the gate, or cancelled. */
export const OUTCOMES = [
  'under_15',
  'from_15_to_30',
  'from_30_to_60',
  'from_60_to_120',
  'over_120',
  'cancelled',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Probability of each outcome; adds up to 1. */
export type Outlook = Record<Outcome, number>;

/** Probabilities of an outlook are whole ten-thousandths. */
const UNITS = 10_000;

/**
 * Returns the outlook of a flight: the outcomes above 30 minutes add up to the model's probability, `cancelled` is the
 * shrunk rate adjusted for events in force, and the remaining probability is for an arrival within 30 minutes. `shares`
 * has the distribution of delays in the history; these shares split the late flights, and the flights within 30
 * minutes, into outcomes. Probabilities are rounded to four decimals and add up to 1. Undefined without a model.
 */
export function buildOutlook(assessment: Assessment, shares: OutlookShares): Outlook | undefined {
  const { mlProbability, cancelledProbability } = assessment;
  if (mlProbability === undefined) return undefined;
  // Rounded like `ml_probability`, a percentage with two decimals.
  const lateUnits = Math.round(100 * mlProbability * (UNITS / 100));
  const restUnits = UNITS - lateUnits;
  const cancelledUnits = Math.min(restUnits, Math.round(cancelledProbability * UNITS));
  const { notLate, late } = shares;
  const notLateUnits = splitUnits(restUnits - cancelledUnits, [
    notLate.under15,
    notLate.from15to30,
  ]);
  const lateOutcomeUnits = splitUnits(lateUnits, [late.from30to60, late.from60to120, late.over120]);
  const units = [...notLateUnits, ...lateOutcomeUnits, cancelledUnits];
  return Object.fromEntries(
    OUTCOMES.map((outcome, at) => [outcome, (units[at] ?? 0) / UNITS]),
  ) as Outlook;
}

/**
 * Splits the total into whole units in proportion to the shares; the largest remainders get the units left by rounding.
 */
function splitUnits(total: number, shares: number[]): number[] {
  const sum = shares.reduce((all, share) => all + share, 0);
  const exact = shares.map((share) => (sum === 0 ? total / shares.length : (total * share) / sum));
  const units = exact.map((value) => Math.floor(value));
  const remainder = total - units.reduce((all, one) => all + one, 0);
  const byRemainder = exact
    .map((value, at) => ({ at, remainder: value - Math.floor(value) }))
    .toSorted((a, b) => b.remainder - a.remainder || a.at - b.at);
  for (const { at } of byRemainder.slice(0, remainder)) units[at] = (units[at] ?? 0) + 1;
  return units;
}

/** Lower and upper end of an interval. */
export type Range = [low: number, high: number];

/** Share of cases that an interval should contain. */
export const INTERVAL_LEVEL = 0.9;

const TAILS = [(1 - INTERVAL_LEVEL) / 2, (1 + INTERVAL_LEVEL) / 2] as const;

export type Interval = { mlProbability?: Range; score: Range };

/**
 * Returns a range for the long-run delay rate of flights like this one, and a range for the score. Less history gives
 * wider ranges: the width is computed as if the rate had been observed on `strengthOf` flights; `priorFlights` is n0.
 * Events in force widen the ranges by what their reports may mean. The ranges do not include the chance of a single
 * flight or errors of the model. Undefined without flights on
 * the route.
 */
export function buildInterval(assessment: Assessment, priorFlights: number): Interval | undefined {
  const { tier, stats, calmProbability, confidence, logOdds, danger } = assessment;
  const strength = strengthOf(tier, stats, assessment, priorFlights);
  if (strength === undefined) return undefined;
  const rates = rangeOf(stats.delayedRate, strength);
  const calmRange = calmProbability === undefined ? undefined : rangeOf(calmProbability, strength);
  /** The probability with the least or the most effect that the events may have. */
  const probabilityAt = (late: number, end: 0 | 1) => {
    const atEnd = danger && { ...danger, logOdds: danger.range[end] };
    return applyDanger({ late, cancelled: stats.cancelledRate }, atEnd, confidence).late;
  };
  const scoreAt = (end: 0 | 1) => {
    const eventChange = danger === undefined ? 0 : danger.range[end] - danger.logOdds;
    const modelPart =
      calmProbability === undefined
        ? undefined
        : { mlProbability: probabilityAt(calmProbability, end), confidence };
    const { score } = scorePoints(logOdds + eventChange, modelPart);
    const recordChange = logit(rates[end]) - logit(stats.delayedRate);
    const modelChange =
      calmRange === undefined || modelPart === undefined
        ? 0
        : probabilityAt(calmRange[end], end) - modelPart.mlProbability;
    // The change is added to the score, because a score at a limit of the scale is not certain.
    const change =
      pointLine(modelPart).slope * recordChange + blend(0, 100 * modelChange, confidence);
    return Math.round(Math.min(100, Math.max(0, score + change)));
  };
  // The answer is the mean. In a skewed distribution, the mean can be outside the interval.
  const score: Range = [
    Math.min(scoreAt(0), assessment.score),
    Math.max(scoreAt(1), assessment.score),
  ];
  const probabilities: Range | undefined = calmRange && [
    probabilityAt(calmRange[0], 0),
    probabilityAt(calmRange[1], 1),
  ];
  return { ...(probabilities && { mlProbability: probabilities }), score };
}

/** Rates are clamped to [MIN_RATE, 1 - MIN_RATE]. */
const MIN_RATE = 1e-6;

function rangeOf(rate: number, strength: number): Range {
  const clampedRate = Math.min(1 - MIN_RATE, Math.max(MIN_RATE, rate));
  const [a, b] = [clampedRate * strength, (1 - clampedRate) * strength];
  const [low, high] = TAILS.map((tail) => betaQuantile(tail, a, b)) as Range;
  return [Math.min(low, rate), Math.max(high, rate)];
}
