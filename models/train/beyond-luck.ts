/**
 * Factors of the standard error for one-sided 84.1 % confidence, by the number of months minus one (Student's
 * distribution). With few months, the factor is larger, because the standard error itself is uncertain.
 */
const ERRORS = [Infinity, 1.84, 1.32, 1.2, 1.14];
const ERRORS_OF_MANY = 1.1;

/**
 * Whether the sum of the gains exceeds the standard error of the sum. The standard error is estimated from the
 * differences between months, because the flights of a month share their conditions. One month alone is never enough.
 */
export function isBeyondLuck(gainsByMonth: number[]): boolean {
  const count = gainsByMonth.length;
  const sum = gainsByMonth.reduce((all, gain) => all + gain, 0);
  const squares = gainsByMonth.reduce((all, gain) => all + (gain - sum / count) ** 2, 0);
  const error = Math.sqrt((squares * count) / (count - 1));
  return count > 1 && sum > (ERRORS[count - 1] ?? ERRORS_OF_MANY) * error;
}
