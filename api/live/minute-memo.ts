/** Answers kept at most; more different questions in a minute are worked out each time anew. */
const MAX_KEPT = 20_000;

/**
 * Remembers the answers to questions for the minute they were given in, or so many minutes of the hour, and for as long as `basis`
 * stays the same thing: for what changes with the clock, but not so fast that each request need work it out.
 */
export function createMinuteMemo<T>(now: () => Date, basis: () => unknown, minutes = 1) {
  const kept = new Map<string, T>();
  const spanMs = minutes * 60_000;
  let span = 0;
  let known: unknown;
  return (question: string, answer: () => T): T => {
    const [currentSpan, current] = [Math.floor(now().getTime() / spanMs), basis()];
    if (currentSpan !== span || current !== known) {
      kept.clear();
      span = currentSpan;
      known = current;
    }
    const before = kept.get(question);
    if (before !== undefined) return before;
    const fresh = answer();
    if (kept.size < MAX_KEPT) kept.set(question, fresh);
    return fresh;
  };
}
