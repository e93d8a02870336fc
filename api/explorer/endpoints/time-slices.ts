import { createTurnQueue } from '../../turns.ts';

/** Maximum time for which page data may block the main thread, in ms. An API call takes about as long. */
const SLICE_MS = 0.25;

/**
 * Maps items in short time slices. All pages together get one slice per turn of the event loop. An API call therefore
 * waits for at most one slice, however many visitors there are.
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

const startSlice = createTurnQueue(0);

/** Waits for the start of a time slice. The caller should then work no longer than one slice. */
export function nextSlice(): Promise<void> {
  return startSlice(() => undefined);
}
