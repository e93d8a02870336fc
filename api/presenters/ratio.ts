/** `part` of `whole`, 0 when there is nothing to divide by. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
