import { sum } from '../../warehouse/ground/sum.ts';
import { expit, interceptFor, logit } from '../../warehouse/ground/log-odds.ts';
import { fitRidge } from '../train/ridge.ts';
import type { Case } from './metrics.ts';

/** The probability of a delay that goes with a score; it never falls as the score rises. */
export type ScoreCurve = (score: number) => number;

/** Log-odds of a delay for one point, before anything is seen: the scale of delayed rates over its weight. */
const EXPECTED_SLOPE = 0.05;

/** With which the slope is pulled there, in points squared: about what a thousand flights tell of it. */
const SLOPE_PENALTY = 10_000;

/**
 * Log-odds of a delay for one point, by logistic regression (`p` of a case is the score); never below 0. There must be
 * delayed flights and others.
 */
export function fitSlope(cases: Case[]): number {
  const flights = Float64Array.from(cases, (one) => one.flights);
  const delayed = Float64Array.from(cases, (one) => one.delayed);
  const total = sum(flights);
  const middle = sum(flights.map((count, at) => count * (cases[at]?.p ?? 0))) / total;
  const level = logit(sum(delayed) / total);
  // Fitted is what is left of the expected line, so that the search begins beside its end.
  const x = Float32Array.from(cases, ({ p }) => p - middle);
  const offset = Float64Array.from(x, (points) => level + EXPECTED_SLOPE * points);
  const data = { x, columns: 1, trials: flights, successes: delayed, offset };
  const { weights } = fitRidge(data, [SLOPE_PENALTY]);
  return Math.max(0, EXPECTED_SLOPE + (weights[0] ?? 0));
}

/** Scores go to 100, so the intercept may lie far from any rate's log-odds. */
const FURTHEST = 200;

/** The logistic curve of that slope which gives those flights, on average, that rate. */
export function curveAtRate(slope: number, cases: Case[], rate: number): ScoreCurve {
  const flights = Float64Array.from(cases, (one) => one.flights);
  const points = Float64Array.from(cases, ({ p }) => slope * p);
  const intercept = interceptFor(rate * sum(flights), points, flights, FURTHEST);
  return (score) => expit(intercept + slope * score);
}
