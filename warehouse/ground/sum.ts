/** Adds numbers in their order; 0 for an empty list. */
export function sum(numbers: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < numbers.length; at++) total += numbers[at] as number;
  return total;
}
