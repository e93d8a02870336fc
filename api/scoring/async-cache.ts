import { LRUCache } from 'lru-cache';

/**
 * Returns the cached value of a key, or computes the value. Concurrent calls with one key share one computation.
 * Failures are not cached.
 */
export type AsyncCache<Value> = (key: string, compute: () => Promise<Value>) => Promise<Value>;

/**
 * Creates a cache with a total size of `maxSize`. When the cache is full, the least recently used values are dropped.
 */
export function createAsyncCache<Value extends object | string>(
  maxSize: number,
  sizeOf: (value: Value) => number,
): AsyncCache<Value> {
  const cache = new LRUCache<string, Value, () => Promise<Value>>({
    maxSize,
    sizeCalculation: sizeOf,
    fetchMethod: (_key, _dropped, { context: compute }) => compute(),
    // If a value is dropped during its computation, the callers that wait for the value still get it.
    ignoreFetchAbort: true,
  });
  return (key, compute) => cache.forceFetch(key, { context: compute });
}
