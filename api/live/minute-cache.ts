/** Maximum number of entries. When the cache is full, further values are computed at every call. */
const MAX_ENTRIES = 20_000;

/**
 * Creates a cache that is emptied at every multiple of `minutes` on the clock, and whenever `basis` returns another
 * object.
 */
export function createMinuteCache<T>(now: () => Date, basis: () => unknown, minutes = 1) {
  const entries = new Map<string, T>();
  const spanMs = minutes * 60_000;
  let span = 0;
  let cachedBasis: unknown;
  return (key: string, compute: () => T): T => {
    const [currentSpan, currentBasis] = [Math.floor(now().getTime() / spanMs), basis()];
    if (currentSpan !== span || currentBasis !== cachedBasis) {
      entries.clear();
      span = currentSpan;
      cachedBasis = currentBasis;
    }
    const cached = entries.get(key);
    if (cached !== undefined) return cached;
    const value = compute();
    if (entries.size < MAX_ENTRIES) entries.set(key, value);
    return value;
  };
}
