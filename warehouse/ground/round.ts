/** Rounds to a number of decimals; a value halfway between two results is rounded up. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
