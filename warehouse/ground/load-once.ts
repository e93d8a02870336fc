/**
 * Memoizes async work: runs it on the first call and caches the result. Does not cache a failure: the next call
 * tries again.
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

/** Memoizes async work per key. A result is released together with its key. */
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
