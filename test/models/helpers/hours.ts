/** An array of 24 hours with the flights given by hour. */
export function hours(flights: Record<number, number>): Float32Array {
  return Float32Array.from({ length: 24 }, (_, hour) => flights[hour] ?? 0);
}
