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

/** Statistical score before rounding, 0 to 100: the weighted sum of the factors. */
export function linearScore(values: FactorValues): number {
  return KEYS.reduce((sum, key) => sum + LINEAR_WEIGHTS[key] * values[key], 0) * 100;
}

/**
 * The factors as components, highest contribution first.
 * `share` is the part of the final score that is statistical: 1 without a model, 0.7 with one,
 * so that contributions are points of the final score.
 */
export function components(values: FactorValues, share: number): Component[] {
  return KEYS.map((key) => ({
    key,
    name: NAMES[key],
    value: values[key],
    label: riskLabel(100 * values[key]),
    contribution: share * LINEAR_WEIGHTS[key] * values[key] * 100,
  })).toSorted((a, b) => b.contribution - a.contribution);
}
