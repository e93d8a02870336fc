import { fitRidge } from './ridge.ts';

/** Values of the fitted factors for a group of like flights, and how many of them were delayed or cancelled. */
export type Observation = { values: number[]; flights: number; disrupted: number };

/** Pulls the weights together where the data cannot tell them apart. */
const PENALTY = 50;

/**
 * Weights of the factors, none negative and adding up to 1: slopes of a logistic regression of disruption on the values,
 * without the factors whose slope would be negative. `level` numbers the months and places whose level is their own.
 */
export function fitWeights(observations: (Observation & { level: number })[]): number[] {
  const width = observations[0]?.values.length ?? 0;
  const used = new Set(Array.from({ length: width }, (_, at) => at));
  for (;;) {
    const slopes = slopesOf(observations, [...used]);
    const negative = [...used].filter((_, at) => (slopes[at] ?? 0) < 0);
    if (negative.length === 0) {
      const total = slopes.reduce((sum, slope) => sum + slope, 0);
      const columns = [...used];
      return Array.from({ length: width }, (_, at) => {
        const column = columns.indexOf(at);
        return column === -1 ? 0 : (slopes[column] ?? 0) / total;
      });
    }
    for (const at of negative) used.delete(at);
  }
}

function slopesOf(observations: (Observation & { level: number })[], used: number[]): number[] {
  const x = new Float32Array(observations.length * used.length);
  for (const [row, { values }] of observations.entries()) {
    for (const [column, at] of used.entries()) x[row * used.length + column] = values[at] ?? 0;
  }
  const rates = levelRates(observations);
  return fitRidge(
    {
      x,
      columns: used.length,
      trials: Float64Array.from(observations, ({ flights }) => flights),
      successes: Float64Array.from(observations, ({ disrupted }) => disrupted),
      offset: Float64Array.from(observations, ({ level }) => rates.get(level) ?? 0),
    },
    used.map(() => PENALTY),
  ).weights;
}

/** Log-odds of disruption at each level. */
function levelRates(observations: (Observation & { level: number })[]): Map<number, number> {
  const sums = new Map<number, { flights: number; disrupted: number }>();
  for (const { level, flights, disrupted } of observations) {
    const sum = sums.get(level) ?? { flights: 0, disrupted: 0 };
    sums.set(level, { flights: sum.flights + flights, disrupted: sum.disrupted + disrupted });
  }
  return new Map(
    [...sums].map(([level, { flights, disrupted }]) => [
      level,
      Math.log((disrupted + 0.5) / (flights - disrupted + 0.5)),
    ]),
  );
}
