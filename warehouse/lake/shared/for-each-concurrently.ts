import pLimit from 'p-limit';

/**
 * Runs `work` for each item with limited concurrency. If `work` fails for an item, starts no further items, waits until
 * the running calls end, and throws.
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
        // The limit starts the next item as soon as this call ends, so the queue is cleared before.
        limit.clearQueue();
        throw error;
      }
    }),
  );
  await Promise.allSettled(runs);
  await Promise.all(runs);
}
