/** Answers by key, made when first asked for; the oldest go when there are too many. */
export type Memo<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

/** An empty memo of at most that many answers. One that is `isKept` says no of is made anew the next time. */
export function createMemo<Value>(
  atMost: number,
  isKept: (value: Value) => boolean = () => true,
): Memo<Value> {
  const made = new Map<string, Promise<Value>>();
  return (key, make) => {
    const known = made.get(key);
    if (known) return known;
    const value = make().then((value) => {
      if (!isKept(value)) made.delete(key);
      return value;
    });
    made.set(key, value);
    if (made.size > atMost) {
      const [oldest = ''] = made.keys();
      made.delete(oldest);
    }
    return value;
  };
}
