/**
 * One standard error, as sure as many months make it, by how many there are less one (Student's distribution, 84.1 %): of
 * two months alone the error itself is hardly known.
 */
const ERRORS = [Infinity, 1.84, 1.32, 1.2, 1.14];
const ERRORS_OF_MANY = 1.1;

/**
 * Whether gains are beyond luck in all: their sum is above its standard error, which the months tell, for the flights of
 * one share a season. One month says nothing of the next.
 */
export function isBeyondLuck(gainsByMonth: number[]): boolean {
  const count = gainsByMonth.length;
  const sum = gainsByMonth.reduce((all, gain) => all + gain, 0);
  const squares = gainsByMonth.reduce((all, gain) => all + (gain - sum / count) ** 2, 0);
  const error = Math.sqrt((squares * count) / (count - 1));
  return count > 1 && sum > (ERRORS[count - 1] ?? ERRORS_OF_MANY) * error;
}
