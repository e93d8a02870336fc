import { expit } from '../warehouse/ground/log-odds.ts';
import { normalQuantile } from './normal.ts';

/**
 * Returns the quantile of a Beta(a, b) distribution to a precision of 1e-9; a and b are above 0.
 * Uses Newton's method on the regularised incomplete beta function. The first value comes from a normal distribution of
 * the log-odds. If a step would leave the interval in which the quantile is known to be, the function bisects this
 * interval instead.
 */
export function betaQuantile(probability: number, a: number, b: number): number {
  const logScale = logBeta(a, b);
  let low = 0;
  let high = 1;
  const deviation = Math.sqrt(1 / a + 1 / b);
  let value = clampShare(expit(Math.log(a / b) + deviation * normalQuantile(probability)));
  for (let step = 0; step < MAX_STEPS; step++) {
    const excess = betaShare(value, a, b) - probability;
    if (excess < 0) low = value;
    else high = value;
    const density = Math.exp((a - 1) * Math.log(value) + (b - 1) * Math.log1p(-value) - logScale);
    const newton = value - excess / density;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - value) < PRECISION) return next;
    value = next;
  }
  return value;
}

/** Probability that a Beta(a, b) variable is below x: the regularised incomplete beta function. */
export function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // Below this limit, the continued fraction converges fast. Above it, the function uses the symmetry I(x; a, b) = 1 -
  // I(1 - x; b, a).
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a);
  const front = a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b);
  return (Math.exp(front) * continuedFraction(x, a, b)) / a;
}

/** Keeps the first value of Newton's method between 0 and 1. */
function clampShare(share: number): number {
  return Math.min(1 - 1e-12, Math.max(1e-12, share));
}

const PRECISION = 1e-10;
const MAX_STEPS = 100;
const FRACTION_STEPS = 1_000;
const CLOSE = 1e-12;
const TINY = 1e-300;

/** The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  let fraction = 1;
  let c = 1;
  let d = awayFromZero(1 - ((a + b) * x) / (a + 1));
  d = 1 / d;
  fraction = d;
  for (let m = 1; m <= FRACTION_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / awayFromZero(1 + term * d);
      c = awayFromZero(1 + term / c);
      change = c * d;
      fraction *= change;
    }
    if (Math.abs(change - 1) < CLOSE) break;
  }
  return fraction;
}

/** Replaces a divisor near zero by a tiny number. */
function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/**
 * Computes the logarithm of the gamma function by Stirling's series. The argument is first raised to 10 or more, where
 * four terms give 12 digits.
 */
function logGamma(x: number): number {
  let lifted = x;
  let shift = 0;
  while (lifted < 10) {
    shift -= Math.log(lifted);
    lifted += 1;
  }
  const inverse = 1 / lifted;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)));
  return shift + (lifted - 0.5) * Math.log(lifted) - lifted + Math.log(2 * Math.PI) / 2 + series;
}
