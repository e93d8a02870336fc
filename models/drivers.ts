import { riskLabel } from './label.ts';
import type { Assessment, ComponentKey } from './types.ts';

/**
 * A factor, and the points by which this factor raises the flight above an average flight. The points are negative if
 * the factor lowers the risk.
 */
export type Driver = { key: ComponentKey; points: number };

/** Smallest difference from an average flight, in points, for which a factor is mentioned. */
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
    .map(({ key, aboveAverage }) => ({ key, points: aboveAverage }))
    .toSorted((a, b) => (isSafe ? a.points - b.points : b.points - a.points));
}

/**
 * Returns the factor that raises the risk most compared with an average flight or, if the risk is low, lowers it most.
 * If no factor does so, returns the factor that has the largest effect in the other direction. Undefined if all factors
 * are about average.
 */
export function topDriver(facts: Pick<Assessment, 'components' | 'score'>): Driver | undefined {
  const drivers = driversOf(facts);
  const isSafe = riskLabel(facts.score) === 'Low';
  const [first, last] = [drivers[0], drivers.at(-1)];
  const fits = ({ points }: Driver) => (isSafe ? -points : points) >= MIN_POINTS;
  return [first, last].find(
    (one, at) => one !== undefined && (at === 0 ? fits(one) : Math.abs(one.points) >= MIN_POINTS),
  );
}
