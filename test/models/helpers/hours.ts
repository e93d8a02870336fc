/** Returns an array with the flights of each of the 24 hours; hours that `flights` does not contain have 0. */
export function hours(flights: Record<number, number>): Float32Array {
  return Float32Array.from({ length: 24 }, (_, hour) => flights[hour] ?? 0);
}
