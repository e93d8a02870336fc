import type { TextBytes } from './arrow.ts';

/** The number for no codes. Numbering starts at 1, so that lists of different lengths have different numbers. */
export const EMPTY_CODES = 1;

/** Converts the codes of airports and airlines to one integer. */
export function codesToNumber(origin: string, dest: string, carrier = ''): number {
  return appendCode(appendCode(appendCode(EMPTY_CODES, origin), dest), carrier);
}

/** Converts the integer back to the codes, written one after another. */
export function numberToCodes(number: number): string {
  return number.toString(36).slice(1).toUpperCase();
}

/** Appends a code to a list of codes. `before` is the number of the list. Returns the number of the longer list. */
export function appendCode(before: number, code: string): number {
  let number = before;
  for (let at = 0; at < code.length; at++) number = withDigit(number, code.charCodeAt(at));
  return number;
}

/** Appends the code in row `row` of a column. */
export function appendCodeAt(before: number, { values, offsets }: TextBytes, row: number): number {
  let number = before;
  const until = offsets[row + 1] as number;
  for (let at = offsets[row] as number; at < until; at++) {
    number = withDigit(number, values[at] as number);
  }
  return number;
}

/** Appends a digit in base 36. The number for two airports and an airline stays far below the largest exact integer. */
function withDigit(number: number, char: number): number {
  return 36 * number + (char >= LETTERS_FROM ? char - LETTERS_FROM + 10 : char - DIGITS_FROM);
}

const LETTERS_FROM = 'A'.charCodeAt(0);
const DIGITS_FROM = '0'.charCodeAt(0);
