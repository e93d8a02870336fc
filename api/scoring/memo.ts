/** Answers by key, made when first asked for; the oldest go when there are too many. */
export type Memo<Value> = (key: string, make: () => Value) => Value;

/** An empty memo of at most that many answers. One that is undefined is made anew the next time. */
export function createMemo<Value>(atMost: number): Memo<Value> {
  const made = new Map<string, Value>();
  return (key, make) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (value === undefined) return value;
    made.set(key, value);
    if (made.size > atMost) {
      const [oldest = ''] = made.keys();
      made.delete(oldest);
    }
    return value;
  };
}
