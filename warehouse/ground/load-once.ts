/**
 * Memoizes `work`: the first call runs `work` and caches the result. If `work` fails, the next call runs `work` again.
 */
export function loadOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= work().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Memoizes `work` for each key. When a key is garbage-collected, the key's result is released too. */
export function loadOnceFor<Key extends WeakKey, T>(
  work: (key: Key) => Promise<T>,
): (key: Key) => Promise<T> {
  const loaders = new WeakMap<Key, () => Promise<T>>();
  return (key) => {
    const load = loaders.get(key) ?? loadOnce(() => work(key));
    loaders.set(key, load);
    return load();
  };
}
