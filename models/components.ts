import { sum } from '../warehouse/ground/numbers.ts';
import { riskLabel } from './label.ts';
import type { Line } from './points.ts';
import type { Component, ComponentKey } from './types.ts';

/**
 * One of the six factors of a flight. `value` is on the factor's own scale, 0 to 1. `logOdds` are the log-odds that the
 * factor adds. `aboveAverage` is `logOdds` minus the log-odds of the same factor in an average flight.
 */
export type Factor = { value: number; logOdds: number; aboveAverage: number };

/** The six factors. The log-odds of `delay_rate` include the level. */
export type Factors = Record<ComponentKey, Factor>;

const NAMES: Record<ComponentKey, string> = {
  delay_rate: 'Historical delay rate',
  cancel_rate: 'Historical cancellation rate',
  congestion: 'Airport congestion',
  weather: 'Weather',
  seasonality: 'Seasonality',
  event_risk: 'Event risk',
};

const KEYS = Object.keys(NAMES) as ComponentKey[];

/** Log-odds of being delayed or cancelled: the sum over all factors. */
export function statisticalLogOdds(factors: Factors): number {
  return KEYS.reduce((sum, key) => sum + factors[key].logOdds, 0);
}

/**
 * Returns the factors as components, highest contribution first. A contribution is the factor's log-odds in points of
 * the final score. Contributions add up to `statistical`. If `statistical` was clamped to its scale, the contributions
 * are reduced in proportion.
 */
export function buildComponents(factors: Factors, line: Line, statistical: number): Component[] {
  const points = KEYS.map((key) => {
    const from = key === 'delay_rate' ? line.zero : 0;
    return line.slope * (factors[key].logOdds - from);
  });
  const scaledPoints = scaleToTotal(statistical, points);
  return KEYS.map((key, at) => ({
    key,
    name: NAMES[key],
    value: factors[key].value,
    label: riskLabel(100 * factors[key].value),
    contribution: scaledPoints[at] as number,
    aboveAverage: line.slope * factors[key].aboveAverage,
  })).toSorted((a, b) => b.contribution - a.contribution);
}

/**
 * Reduces either the positive or the negative points in proportion, so that all points add up to `total` (0 to 100).
 */
function scaleToTotal(total: number, points: number[]): number[] {
  const excess = sum(points) - total;
  const isPart = (one: number) => (excess > 0 ? one > 0 : one < 0);
  const partSum = sum(points.filter(isPart));
  if (partSum === 0) return points;
  return points.map((one) => (isPart(one) ? one * (1 - excess / partSum) : one));
}
