import { LRUCache } from 'lru-cache';

/**
 * Returns the cached value of a key, or computes the value. Concurrent calls with one key share one computation;
 * failures are not cached.
 */
export type AsyncCache<Value> = (key: string, compute: () => Promise<Value>) => Promise<Value>;

/** Creates a cache of values with a total size of `maxSize`. The least recently used values are dropped first. */
export function createAsyncCache<Value extends object | string>(
  maxSize: number,
  sizeOf: (value: Value) => number,
): AsyncCache<Value> {
  const cache = new LRUCache<string, Value, () => Promise<Value>>({
    maxSize,
    sizeCalculation: sizeOf,
    fetchMethod: (_key, _dropped, { context: compute }) => compute(),
    // A value that is dropped while it is computed still reaches its callers.
    ignoreFetchAbort: true,
  });
  return (key, compute) => cache.forceFetch(key, { context: compute });
}
