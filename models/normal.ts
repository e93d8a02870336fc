/** Coefficients of the Chebyshev approximation of the complementary error function in Numerical Recipes (`erfcc`). */
const TAIL = [
  1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
];

/** P(Z > z) of a standard normal variable; the relative error is below 2e-7. */
export function normalTail(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  let power = 0;
  for (const coefficient of TAIL.slice(1).toReversed()) power = t * (coefficient + power);
  const tail = (t * Math.exp(-x * x - (TAIL[0] as number) + power)) / 2;
  return z >= 0 ? tail : 1 - tail;
}

/** Coefficients of P. J. Acklam's approximation of the quantile, near the middle and in the tails. */
const MIDDLE = {
  a: [
    -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2,
    -3.066479806614716e1, 2.506628277459239,
  ],
  b: [
    -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
    -1.328068155288572e1, 1,
  ],
};
const ENDS = {
  c: [
    -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734,
    4.374664141464968, 2.938163982698783,
  ],
  d: [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1],
};
const END_SHARE = 0.02425;

/**
 * Returns z so that a standard normal variable is below z with probability `share`, between 0 and 1. The relative error
 * is below 2e-9.
 */
export function normalQuantile(share: number): number {
  if (share > 1 - END_SHARE) return -normalQuantile(1 - share);
  if (share < END_SHARE) {
    const q = Math.sqrt(-2 * Math.log(share));
    return polynomial(ENDS.c, q) / polynomial(ENDS.d, q);
  }
  const q = share - 0.5;
  const r = q * q;
  return (polynomial(MIDDLE.a, r) * q) / polynomial(MIDDLE.b, r);
}

/** Evaluates a polynomial. The coefficients are ordered from the highest power to the constant. */
function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * x + coefficient;
  return value;
}
