import { sum } from './sum.ts';

/** Joins pieces of one column, and empties the list, so that the memory of the pieces is freed. */
export function joinNumbers(pieces: Float64Array[]): Float64Array {
  const joined = new Float64Array(sum(pieces.map(({ length }) => length)));
  let from = 0;
  for (const piece of pieces.splice(0)) {
    joined.set(piece, from);
    from += piece.length;
  }
  return joined;
}
