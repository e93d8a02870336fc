/** Longest time for which a page may block the thread that answers the API. One call takes about as long. */
const SLICE_MS = 0.25;

/**
 * Maps items in time slices. All pages together get one slice per round of the event loop, so an API call never waits
 * for more than one slice, regardless of the number of visitors.
 */
export async function mapInSlices<Item, Value>(
  items: Iterable<Item>,
  work: (item: Item) => Value,
): Promise<Value[]> {
  const results: Value[] = [];
  let sliceEnd = -Infinity;
  for (const item of items) {
    if (performance.now() >= sliceEnd) {
      await nextSlice();
      sliceEnd = performance.now() + SLICE_MS;
    }
    results.push(work(item));
  }
  return results;
}

const waiting: (() => void)[] = [];

/** Resolves when the caller's slice starts. The caller's work should then take no longer than a slice. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNextSlice);
  });
}

/** Starts the slice of the longest waiting page. The other pages wait until the event loop has polled the sockets. */
function startNextSlice(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNextSlice);
}
