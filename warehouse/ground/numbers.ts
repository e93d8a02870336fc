/** Rounds to a number of decimals; a value halfway between two results is rounded up. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** Adds numbers in their order; an empty list gives 0. */
export function sum(numbers: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < numbers.length; at++) total += numbers[at] as number;
  return total;
}

/** Concatenates pieces of one column. Empties the list, so that the memory of the pieces is freed. */
export function joinNumbers(pieces: Float64Array[]): Float64Array {
  const joined = new Float64Array(sum(pieces.map(({ length }) => length)));
  let from = 0;
  for (const piece of pieces.splice(0)) {
    joined.set(piece, from);
    from += piece.length;
  }
  return joined;
}
