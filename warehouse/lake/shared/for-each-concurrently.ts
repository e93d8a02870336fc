import pLimit from 'p-limit';

/**
 * Runs `work` for each item with limited concurrency. If a call fails, starts no more calls, waits until the running
 * calls end, and throws.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit({ concurrency, rejectOnClear: true });
  const runs = items.map((item) =>
    limit(async () => {
      try {
        await work(item);
      } catch (error) {
        // Drop the waiting items. Otherwise the next item would start as soon as the failed call ends.
        limit.clearQueue();
        throw error;
      }
    }),
  );
  await Promise.allSettled(runs);
  await Promise.all(runs);
}
