/** Answers by key, made when first asked for and by one at a time; one that fails is not kept. */
export type Memo<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

type Kept<Value> = { value: Promise<Value>; size: number };

/** An empty memo of answers of that size together; those not asked for the longest time go first. */
export function createMemo<Value>(atMost: number, sizeOf: (value: Value) => number): Memo<Value> {
  const kept = new Map<string, Kept<Value>>();
  let total = 0;
  const grow = (size: number) => {
    total += size;
    for (const [key, oldest] of kept) {
      if (total <= atMost) return;
      kept.delete(key);
      total -= oldest.size;
    }
  };
  const measure = async (key: string, one: Kept<Value>) => {
    try {
      const size = sizeOf(await one.value);
      // Those that came meanwhile may have taken its place.
      if (kept.get(key) !== one) return;
      one.size = size;
      grow(size);
    } catch {
      if (kept.get(key) === one) kept.delete(key);
    }
  };
  return (key, make) => {
    const known = kept.get(key);
    const one = known ?? { value: make(), size: 0 };
    kept.delete(key);
    kept.set(key, one);
    if (known) return known.value;
    void measure(key, one);
    return one.value;
  };
}
