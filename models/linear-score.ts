import weightsFile from './linear-weights.json' with { type: 'json' };
import { riskLabel } from './label.ts';
import type { Component, ComponentKey } from './types.ts';

/** The six factors of a flight, each a risk from 0 to 1. */
export type FactorValues = Record<ComponentKey, number>;

/** Weight of each factor: non-negative, adding up to 1. */
export const LINEAR_WEIGHTS: FactorValues = weightsFile.weights;

const NAMES: Record<ComponentKey, string> = {
  delay_rate: 'Historical delay rate',
  cancel_rate: 'Historical cancellation rate',
  congestion: 'Airport congestion',
  weather: 'Weather',
  seasonality: 'Seasonality',
  event_risk: 'Event risk',
};

const KEYS = Object.keys(NAMES) as ComponentKey[];

/** Points of the statistical score that a unit of log-odds from events is worth: a doubling of the odds some 15. */
const POINTS_PER_LOG_ODDS = 22;

/**
 * Points of each factor of the statistical score. Where they are more than the 100 there are, each gives way in
 * proportion, so that what weighs most stays in front.
 */
function pointsOf(values: FactorValues, eventLogOdds: number): FactorValues {
  const points = KEYS.map((key) =>
    key === 'event_risk'
      ? POINTS_PER_LOG_ODDS * eventLogOdds
      : 100 * LINEAR_WEIGHTS[key] * values[key],
  );
  const all = points.reduce((sum, one) => sum + one, 0);
  const left = all > 100 ? 100 / all : 1;
  return Object.fromEntries(KEYS.map((key, at) => [key, left * (points[at] ?? 0)])) as FactorValues;
}

/** Statistical score before rounding, 0 to 100: the points of the factors together. */
export function linearScore(values: FactorValues, eventLogOdds: number): number {
  const points = pointsOf(values, eventLogOdds);
  return KEYS.reduce((sum, key) => sum + points[key], 0);
}

/**
 * The factors as components, highest contribution first.
 * `share` is the part of the final score that is statistical: 1 without a model, 0.7 with one,
 * so that contributions are points of the final score.
 */
export function components(values: FactorValues, eventLogOdds: number, share: number): Component[] {
  const points = pointsOf(values, eventLogOdds);
  return KEYS.map((key) => ({
    key,
    name: NAMES[key],
    value: values[key],
    label: riskLabel(100 * values[key]),
    contribution: share * points[key],
  })).toSorted((a, b) => b.contribution - a.contribution);
}
