import { expit } from '../../warehouse/ground/log-odds.ts';

/**
 * Binomial outcomes to explain. `x` contains the rows one after another; a missing value is NaN. `offset` contains the
 * known log-odds.
 */
export type Binomial = {
  x: Float32Array;
  columns: number;
  trials: Float64Array;
  successes: Float64Array;
  offset: Float64Array;
};

export type RidgeFit = { weights: number[]; intercept: number };

const MAX_STEPS = 25;
const CONVERGED = 1e-8;

/**
 * Fits a logistic regression by Newton's method. A quadratic penalty pulls each weight toward its value in `targets`,
 * by default 0. The intercept has no penalty. A missing value is treated as 0.
 */
export function fitRidge(
  data: Binomial,
  penalty: number[],
  targets: number[] = penalty.map(() => 0),
): RidgeFit {
  const size = data.columns + 1;
  const beta = new Float64Array(size);
  for (const [at, value] of targets.entries()) beta[at] = value;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { gradient, hessian } = derivatives(data, beta);
    for (const [at, strength] of penalty.entries()) {
      gradient[at] = (gradient[at] ?? 0) - strength * ((beta[at] ?? 0) - (targets[at] ?? 0));
      hessian[at * size + at] = (hessian[at * size + at] ?? 0) + strength;
    }
    const change = solve(hessian, gradient);
    let largest = 0;
    for (let at = 0; at < size; at++) {
      beta[at] = (beta[at] as number) + (change[at] as number);
      largest = Math.max(largest, Math.abs(change[at] as number));
    }
    if (largest < CONVERGED) break;
  }
  return { weights: [...beta.subarray(0, data.columns)], intercept: beta[data.columns] ?? 0 };
}

function derivatives({ x, columns, trials, successes, offset }: Binomial, beta: Float64Array) {
  const size = columns + 1;
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  const row = new Float64Array(size).fill(1);
  for (let at = 0; at < trials.length; at++) {
    let logOdds = (offset[at] as number) + (beta[columns] as number);
    for (let i = 0; i < columns; i++) {
      row[i] = zeroIfMissing(x[at * columns + i] as number);
      logOdds += (row[i] as number) * (beta[i] as number);
    }
    const p = expit(logOdds);
    const n = trials[at] as number;
    const residual = (successes[at] as number) - n * p;
    const weight = n * p * (1 - p);
    for (let i = 0; i < size; i++) {
      gradient[i] = (gradient[i] as number) + residual * (row[i] as number);
      const scaled = weight * (row[i] as number);
      for (let j = 0; j <= i; j++) {
        hessian[i * size + j] = (hessian[i * size + j] as number) + scaled * (row[j] as number);
      }
    }
  }
  for (let i = 0; i < size; i++) {
    hessian[i * size + i] = (hessian[i * size + i] as number) + TINY;
    for (let j = i + 1; j < size; j++) hessian[i * size + j] = hessian[j * size + i] as number;
  }
  return { gradient, hessian };
}

/** Small addition that keeps the equations solvable if a column is all zeros. */
const TINY = 1e-9;

function zeroIfMissing(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}

/** Solves a symmetric positive definite system by Cholesky decomposition in place. */
export function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const at = (i: number, j: number) => matrix[i * size + j] as number;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = at(i, j);
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k);
      matrix[i * size + j] = i === j ? Math.sqrt(sum) : sum / at(j, j);
    }
  }
  const result = Float64Array.from(right);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) {
      result[i] = (result[i] as number) - at(i, k) * (result[k] as number);
    }
    result[i] = (result[i] as number) / at(i, i);
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) {
      result[i] = (result[i] as number) - at(k, i) * (result[k] as number);
    }
    result[i] = (result[i] as number) / at(i, i);
  }
  return result;
}
