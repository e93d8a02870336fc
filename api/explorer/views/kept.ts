/** Languages come from visitors: of more than these nothing is kept. */
const KEPT = 400;

/** The same function, which keeps what it made of the same arguments: making a format takes a hundred times as long as using it. */
export function keptBy<Args extends readonly unknown[], Value>(
  make: (...args: Args) => Value,
): (...args: Args) => Value {
  const kept = new Map<string, Value>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= KEPT) kept.clear();
    const value = make(...args);
    kept.set(key, value);
    return value;
  };
}
