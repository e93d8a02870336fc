import { riskLabel } from './label.ts';
import type { Assessment, Component, ComponentKey } from './types.ts';

/**
 * A factor, and the points by which this factor raises the flight above an average flight. The points are negative if
 * the factor lowers the risk.
 */
export type Driver = { key: ComponentKey; points: number };

/** A factor is mentioned only if it differs from an average flight by at least this many points. */
const MIN_POINTS = 1;

/**
 * Returns all factors, the top driver first. A flight with a low risk starts with the factors that lower the risk most.
 * Other flights start with the factors that raise the risk most.
 */
export function driversOf({
  components,
  score,
}: Pick<Assessment, 'components' | 'score'>): Driver[] {
  const isSafe = riskLabel(score) === 'Low';
  return components
    .map(driverOf)
    .toSorted((a, b) => (isSafe ? a.points - b.points : b.points - a.points));
}

/**
 * Returns the factor that raises the risk most compared with an average flight. If the risk is low, returns the factor
 * that lowers the risk most. If no factor works in this direction, returns the factor with the largest effect in the
 * other direction. Undefined if all factors are about average.
 */
export function topDriver(facts: Pick<Assessment, 'components' | 'score'>): Driver | undefined {
  const { components, score } = facts;
  const sign = riskLabel(score) === 'Low' ? -1 : 1;
  let [first, last] = [components[0], components[0]];
  // Finds the first and the last factor of `driversOf` without sorting, because a calendar does this for each of its
  // days.
  for (const one of components) {
    if (sign * one.aboveAverage > sign * (first?.aboveAverage ?? 0)) first = one;
    if (sign * one.aboveAverage <= sign * (last?.aboveAverage ?? 0)) last = one;
  }
  if (first && sign * first.aboveAverage >= MIN_POINTS) return driverOf(first);
  return last && Math.abs(last.aboveAverage) >= MIN_POINTS ? driverOf(last) : undefined;
}

function driverOf({ key, aboveAverage }: Component): Driver {
  return { key, points: aboveAverage };
}
