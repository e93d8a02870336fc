import { InvalidArgumentError } from 'commander';

/** Of a command line: a whole number of 1 or more. */
export function countArgument(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError('not a whole number of 1 or more');
}

/** Several of them, with commas between. */
export function countsArgument(text: string): number[] {
  return text.split(',').map(countArgument);
}
