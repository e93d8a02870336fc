import { betaQuantile } from './beta.ts';
import { inDanger } from './danger.ts';
import { strengthOf } from './evidence.ts';
import { logit } from '../warehouse/ground/log-odds.ts';
import type { OutlookShares } from './onnx/metadata.ts';
import { scorePoints } from './points.ts';
import type { Assessment } from './types.ts';

/** What can become of a flight, in order: minutes late at the gate, or cancelled. */
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

/** Ten-thousandths: the resolution in which an outlook is exact. */
const UNITS = 10_000;

/**
 * The outcomes of a flight: those later than 30 minutes add up to the model's probability, cancelled is the shrunk rate,
 * as events in force change it, and what is left arrives within 30 minutes. How late within late and within not late is the history's.
 * Rounded to four decimals that add up to 1. Undefined without a model.
 */
export function outlook(assessment: Assessment, shares: OutlookShares): Outlook | undefined {
  const { mlProbability, cancelledProbability } = assessment;
  if (mlProbability === undefined) return undefined;
  // Rounded as `ml_probability` is, which is a percentage of two decimals.
  const lateUnits = Math.round(100 * mlProbability * (UNITS / 100));
  const restUnits = UNITS - lateUnits;
  const cancelledUnits = Math.min(restUnits, Math.round(cancelledProbability * UNITS));
  const { notLate, late } = shares;
  const soon = split(restUnits - cancelledUnits, [notLate.under15, notLate.from15to30]);
  const later = split(lateUnits, [late.from30to60, late.from60to120, late.over120]);
  const units = [...soon, ...later, cancelledUnits];
  return Object.fromEntries(
    OUTCOMES.map((outcome, at) => [outcome, (units[at] ?? 0) / UNITS]),
  ) as Outlook;
}

/** Whole units in proportion to the shares, adding up to the total: the largest remainders get what rounding left. */
function split(total: number, shares: number[]): number[] {
  const sum = shares.reduce((all, share) => all + share, 0);
  const exact = shares.map((share) => (sum === 0 ? total / shares.length : (total * share) / sum));
  const units = exact.map((value) => Math.floor(value));
  const left = total - units.reduce((all, one) => all + one, 0);
  const byRemainder = exact
    .map((value, at) => ({ at, remainder: value - Math.floor(value) }))
    .toSorted((a, b) => b.remainder - a.remainder || a.at - b.at);
  for (const { at } of byRemainder.slice(0, left)) units[at] = (units[at] ?? 0) + 1;
  return units;
}

/** From … to, of a figure. */
export type Range = [low: number, high: number];

/** Share of its cases an interval is meant to hold. */
export const INTERVAL_LEVEL = 0.9;

const TAILS = [(1 - INTERVAL_LEVEL) / 2, (1 + INTERVAL_LEVEL) / 2] as const;

export type Interval = { mlProbability?: Range; score: Range };

/**
 * Where the long-run delay rate of such flights, and with it the score, may lie, given how little history there is:
 * a rate believed as n + n0 flights would make it, n of the airline on the route and n0 what its prior is worth, and as
 * fewer where the airline has not flown the route (`strengthOf`). Undefined where the history holds nothing of the flight.
 * It says nothing of a single flight's luck, nor of faults of the model. `priorFlights` is n0.
 */
export function interval(assessment: Assessment, priorFlights: number): Interval | undefined {
  const { tier, stats, held, calmProbability, confidence, logOdds, danger } = assessment;
  const strength = strengthOf(tier, stats, held, priorFlights);
  if (strength === undefined) return undefined;
  const rates = rangeOf(stats.delayedRate, strength);
  const inForce = (late: number) =>
    inDanger({ late, cancelled: stats.cancelledRate }, danger, confidence).late;
  const probabilities =
    calmProbability === undefined
      ? undefined
      : (rangeOf(calmProbability, strength).map(inForce) as Range);
  const scoreAt = (end: 0 | 1) => {
    const moved = logOdds + logit(rates[end]) - logit(stats.delayedRate);
    const say = probabilities && { mlProbability: probabilities[end], confidence };
    return Math.round(scorePoints(moved, say).score);
  };
  // A skewed distribution can have its mean, which is served, outside its middle.
  const score: Range = [
    Math.min(scoreAt(0), assessment.score),
    Math.max(scoreAt(1), assessment.score),
  ];
  return { ...(probabilities && { mlProbability: probabilities }), score };
}

/** Nearer to 0 or 1 no rate is believed. */
const NEVER = 1e-6;

function rangeOf(rate: number, strength: number): Range {
  const held = Math.min(1 - NEVER, Math.max(NEVER, rate));
  const [a, b] = [held * strength, (1 - held) * strength];
  const [low, high] = TAILS.map((tail) => betaQuantile(tail, a, b)) as Range;
  return [Math.min(low, rate), Math.max(high, rate)];
}
