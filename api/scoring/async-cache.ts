/**
 * Returns the cached value of a key, or computes the value. Concurrent calls with one key share one computation;
 * failures are not cached.
 */
export type AsyncCache<Value> = (key: string, compute: () => Promise<Value>) => Promise<Value>;

type Entry<Value> = { value: Promise<Value>; size: number };

/** Creates a cache of values with a total size of `maxSize`. The least recently used values are dropped first. */
export function createAsyncCache<Value>(
  maxSize: number,
  sizeOf: (value: Value) => number,
): AsyncCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  let totalSize = 0;
  const addSize = (size: number) => {
    totalSize += size;
    for (const [key, oldest] of entries) {
      if (totalSize <= maxSize) return;
      entries.delete(key);
      totalSize -= oldest.size;
    }
  };
  const measure = async (key: string, entry: Entry<Value>) => {
    try {
      const size = sizeOf(await entry.value);
      // Newer entries may have displaced this entry in the meantime.
      if (entries.get(key) !== entry) return;
      entry.size = size;
      addSize(size);
    } catch {
      if (entries.get(key) === entry) entries.delete(key);
    }
  };
  return (key, compute) => {
    const cached = entries.get(key);
    const entry = cached ?? { value: compute(), size: 0 };
    entries.delete(key);
    entries.set(key, entry);
    if (cached) return cached.value;
    void measure(key, entry);
    return entry.value;
  };
}
