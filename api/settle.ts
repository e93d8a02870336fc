/** What came of some work: its value, or what it threw. */
export type Settled<T> = { isGood: true; value: T } | { isGood: false; error: unknown };

/** Does the work and keeps what it throws, to be thrown later or told otherwise. */
export function settle<T>(work: () => T): Settled<T> {
  try {
    return { isGood: true, value: work() };
  } catch (error) {
    return { isGood: false, error };
  }
}

/** The value, or what was thrown, thrown now. */
export function valueOf<T>(settled: Settled<T>): T {
  if (!settled.isGood) throw settled.error;
  return settled.value;
}
