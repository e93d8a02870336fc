/** The most names a sentence can bear. */
const MOST_NAMED = 3;

/** Names in a sentence: `JFK`, `JFK and LAX`, `JFK, LAX, ORD and 2 more`. */
export function listed(names: readonly string[]): string {
  if (names.length > MOST_NAMED) {
    return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
  }
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
