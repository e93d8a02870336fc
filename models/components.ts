import { sum } from '../warehouse/ground/sum.ts';
import { riskLabel } from './label.ts';
import type { Line } from './points.ts';
import type { Component, ComponentKey } from './types.ts';

/** A factor of a flight: where it lies on its own scale (0 to 1), and the log-odds it adds. */
export type Factor = { value: number; logOdds: number };

/** The six factors; `delay_rate` has the level in its log-odds, the others are against an average flight. */
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

/** Log-odds of being delayed or cancelled: those of all factors together. */
export function statisticalLogOdds(factors: Factors): number {
  return KEYS.reduce((sum, key) => sum + factors[key].logOdds, 0);
}

/**
 * The factors as components, highest contribution first. Each contributes its log-odds in points of the final score;
 * `statistical` is what they add up to, so where the scale ends they are cut, in proportion, by what lies beyond it.
 */
export function components(factors: Factors, line: Line, statistical: number): Component[] {
  const points = KEYS.map((key) => {
    const from = key === 'delay_rate' ? line.zero : 0;
    return line.slope * (factors[key].logOdds - from);
  });
  const cut = cutTo(statistical, points);
  return KEYS.map((key, at) => ({
    key,
    name: NAMES[key],
    value: factors[key].value,
    label: riskLabel(100 * factors[key].value),
    contribution: cut[at] as number,
  })).toSorted((a, b) => b.contribution - a.contribution);
}

/** The points, those above 0 (or below it) scaled down until all add up to a total between 0 and 100. */
function cutTo(total: number, points: number[]): number[] {
  const excess = sum(points) - total;
  const isPart = (one: number) => (excess > 0 ? one > 0 : one < 0);
  const part = sum(points.filter(isPart));
  if (part === 0) return points;
  return points.map((one) => (isPart(one) ? one * (1 - excess / part) : one));
}
