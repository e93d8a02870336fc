import type { TextBytes } from './arrow.ts';

/** What the number of codes begins with; it tells codes of one length from those of another. */
export const START = 1;

/** Codes of airports and airlines one after the other, as one whole number. */
export function codesNumber(origin: string, dest: string, carrier = ''): number {
  return numberAfter(numberAfter(numberAfter(START, origin), dest), carrier);
}

/** The codes a number was made of, one after the other. */
export function codesOf(number: number): string {
  return number.toString(36).slice(1).toUpperCase();
}

/** The number that a code makes after those before it. */
export function numberAfter(before: number, code: string): number {
  let number = before;
  for (let at = 0; at < code.length; at++) number = withDigit(number, code.charCodeAt(at));
  return number;
}

/** The same of a code that is a row of a column. */
export function numberAfterRow(
  before: number,
  { values, offsets }: TextBytes,
  row: number,
): number {
  let number = before;
  const until = offsets[row + 1] as number;
  for (let at = offsets[row] as number; at < until; at++) {
    number = withDigit(number, values[at] as number);
  }
  return number;
}

/** Letters and digits to base 36: two airports and an airline stay far below the largest whole number. */
function withDigit(number: number, char: number): number {
  return 36 * number + (char >= LETTERS_FROM ? char - LETTERS_FROM + 10 : char - DIGITS_FROM);
}

const LETTERS_FROM = 'A'.charCodeAt(0);
const DIGITS_FROM = '0'.charCodeAt(0);
