/** Answers kept at most; more different questions in a minute are worked out each time anew. */
const MAX_KEPT = 20_000;

/**
 * Remembers the answers to questions for the minute they were given in, and for as long as `basis` stays the same
 * thing: for what changes with the clock, but not so fast that each request need work it out.
 */
export function createMinuteMemo<T>(now: () => Date, basis: () => unknown) {
  const kept = new Map<string, T>();
  let minute = 0;
  let known: unknown;
  return (question: string, answer: () => T): T => {
    const [currentMinute, current] = [Math.floor(now().getTime() / 60_000), basis()];
    if (currentMinute !== minute || current !== known) {
      kept.clear();
      minute = currentMinute;
      known = current;
    }
    const before = kept.get(question);
    if (before !== undefined) return before;
    const fresh = answer();
    if (kept.size < MAX_KEPT) kept.set(question, fresh);
    return fresh;
  };
}
