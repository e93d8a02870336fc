/**
 * Returns the quantile of a Beta(a, b) distribution; a and b are above 0.
 * Bisects the regularised incomplete beta function to a precision of 1e-9.
 */
export function betaQuantile(probability: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (betaShare(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Probability that a Beta(a, b) variable is below x: the regularised incomplete beta function. */
export function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The continued fraction converges fast below this limit; for larger `x`, the function uses the symmetry I(x; a, b) =
  // 1 - I(1 - x; b, a).
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a);
  const front = a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b);
  return (Math.exp(front) * continuedFraction(x, a, b)) / a;
}

const HALVINGS = 30;
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
