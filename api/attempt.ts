/** Result of a function call: its value or the error that it threw. */
export type Outcome<T> = { isGood: true; value: T } | { isGood: false; error: unknown };

/** Calls `work` and returns its value or its error, so that the caller can throw or report the error later. */
export function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { isGood: true, value: work() };
  } catch (error) {
    return { isGood: false, error };
  }
}

/** Returns the value, or throws the error. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (!outcome.isGood) throw outcome.error;
  return outcome.value;
}
