/**
 * Runs `work` for each item with limited concurrency. If `work` fails for an item, starts no further items, waits until
 * the running calls end, and throws.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  const lane = async () => {
    for (const item of remaining) {
      if (failure) return;
      await work(item).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  if (failure) throw failure.error;
}
