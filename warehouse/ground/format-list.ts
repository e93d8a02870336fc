/** Maximum number of names in a list. More names are only counted. */
const MAX_NAMES = 3;

/** Formats names for a sentence: `JFK`, `JFK and LAX`, `JFK, LAX, ORD and 2 more`. */
export function formatList(names: readonly string[]): string {
  if (names.length > MAX_NAMES) {
    return `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;
  }
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
