import { sum } from '../../warehouse/ground/numbers.ts';
import { expit, interceptFor, logit } from '../../warehouse/ground/log-odds.ts';
import { fitRidge } from '../train/ridge.ts';
import type { Case } from './metrics.ts';

/** Converts a score to a probability of delay, which never falls as the score rises. */
export type ScoreCurve = (score: number) => number;

/**
 * Expected slope: the log-odds of a delay that one point of the score adds. It is computed from the scale of delayed
 * rates and from the weight of this scale in the score.
 */
const EXPECTED_SLOPE = 0.05;

/**
 * Penalty for a slope that differs from the expected slope, in squared points. The penalty weighs about as much as a
 * thousand flights.
 */
const SLOPE_PENALTY = 10_000;

/**
 * Fits by logistic regression how much the log-odds of a delay rise with each point of the score. `p` of a case is the
 * score. The fitted slope is never below 0. The cases must include delayed flights and flights on time.
 */
export function fitSlope(cases: Case[]): number {
  const flights = Float64Array.from(cases, (one) => one.flights);
  const delayed = Float64Array.from(cases, (one) => one.delayed);
  const total = sum(flights);
  const middle = sum(flights.map((count, at) => count * (cases[at]?.p ?? 0))) / total;
  const level = logit(sum(delayed) / total);
  // `offset` contains the expected slope, so only the difference from this slope is fitted. The search then starts near
  // the solution.
  const x = Float32Array.from(cases, ({ p }) => p - middle);
  const offset = Float64Array.from(x, (points) => level + EXPECTED_SLOPE * points);
  const data = { x, columns: 1, trials: flights, successes: delayed, offset };
  const { weights } = fitRidge(data, [SLOPE_PENALTY]);
  return Math.max(0, EXPECTED_SLOPE + (weights[0] ?? 0));
}

/** Limit of the intercept search: scores go up to 100, so the intercept can be far from any rate's log-odds. */
const MAX_INTERCEPT = 200;

/** Returns the logistic curve with this slope. Its mean over the flights equals the rate. */
export function curveAtRate(slope: number, cases: Case[], rate: number): ScoreCurve {
  const flights = Float64Array.from(cases, (one) => one.flights);
  const points = Float64Array.from(cases, ({ p }) => slope * p);
  const intercept = interceptFor(rate * sum(flights), points, flights, MAX_INTERCEPT);
  return (score) => expit(intercept + slope * score);
}
