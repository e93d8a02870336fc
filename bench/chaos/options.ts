import { InvalidArgumentError } from 'commander';

/** Parses a command-line argument that is a whole number of 1 or more. */
export function countArgument(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError('use a whole number of 1 or more');
}

/** Parses several whole numbers of 1 or more, separated by commas. */
export function countsArgument(text: string): number[] {
  return text.split(',').map(countArgument);
}
