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

/** Memoizes `work` for each key. When a key is garbage-collected, its result is freed too. */
export function memoizeFor<Key extends WeakKey, T>(work: (key: Key) => T): (key: Key) => T {
  const results = new WeakMap<Key, { result: T }>();
  return (key) => {
    const known = results.get(key);
    if (known) return known.result;
    const result = work(key);
    results.set(key, { result });
    return result;
  };
}

/**
 * Memoizes only the last result of `work` for each key. The result is used again if `isSame` finds that the input is
 * the same as before. Callers must not modify inputs and results.
 */
export function memoizeLast<Input, Key extends WeakKey, T>(
  isSame: (before: Input, input: Input) => boolean,
  work: (input: Input, key: Key) => T,
): (input: Input, key: Key) => T {
  const cacheOf = memoizeFor((_: Key): { last?: { input: Input; result: T } } => ({}));
  return (input, key) => {
    const cache = cacheOf(key);
    if (cache.last && isSame(cache.last.input, input)) return cache.last.result;
    const result = work(input, key);
    cache.last = { input, result };
    return result;
  };
}

/**
 * Memoizes `work` for each key like `memoizeFor`. If `work` fails, the next call with the same key runs `work` again.
 */
export function loadOnceFor<Key extends WeakKey, T>(
  work: (key: Key) => Promise<T>,
): (key: Key) => Promise<T> {
  const loaderOf = memoizeFor((key: Key) => loadOnce(() => work(key)));
  return (key) => loaderOf(key)();
}

/**
 * Returns a function that does the same as `work`. If `identityOf` is equal for the inputs of concurrent calls, these
 * calls share one run.
 */
export function coalesceBy<In, Out>(
  identityOf: (input: In) => string,
  work: (input: In) => Promise<Out>,
): (input: In) => Promise<Out> {
  const runs = new Map<string, Promise<Out>>();
  return (input) => {
    const identity = identityOf(input);
    const running = runs.get(identity) ?? work(input).finally(() => runs.delete(identity));
    runs.set(identity, running);
    return running;
  };
}
