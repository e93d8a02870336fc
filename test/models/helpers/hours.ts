/** Flights in each hour of the day, those named. */
export function hours(flights: Record<number, number>): Float32Array {
  return Float32Array.from({ length: 24 }, (_, hour) => flights[hour] ?? 0);
}
