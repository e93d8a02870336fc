/** Does the work when it is first needed and keeps its result for later calls. A failure is not kept: the next call tries again. */
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

/** As `loadOnce`, for each key; a key that is not used any more goes with its result. */
export function loadOnceFor<Key extends WeakKey, T>(
  work: (key: Key) => Promise<T>,
): (key: Key) => Promise<T> {
  const known = new WeakMap<Key, () => Promise<T>>();
  return (key) => {
    const load = known.get(key) ?? loadOnce(() => work(key));
    known.set(key, load);
    return load();
  };
}
