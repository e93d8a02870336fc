/** How long a page's work holds the thread that answers the API: about as long as a call does. */
const TURN_MS = 0.25;

/**
 * What `work` makes of each item. Pages together have one turn in each round of the event loop, so that a call of the API never
 * waits for more than one of them, however many visitors ask at once.
 */
export async function inTurns<Item, Value>(
  items: Iterable<Item>,
  work: (item: Item) => Value,
): Promise<Value[]> {
  const made: Value[] = [];
  let until = -Infinity;
  for (const item of items) {
    if (performance.now() >= until) {
      await nextTurn();
      until = performance.now() + TURN_MS;
    }
    made.push(work(item));
  }
  return made;
}

const waiting: (() => void)[] = [];

/** Resolves when it is one's turn; what is done then should take no longer than a turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });
}

/** To who waits longest; the others wait until sockets were looked at. */
function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
