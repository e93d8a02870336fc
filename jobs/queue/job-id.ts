import { sha256 } from '../../warehouse/ground/hashes.ts';

/** Hexadecimal digits of the hash in an id. The hash has 48 bits, far more than the jobs of a queue need. */
const HASH_LENGTH = 12;

/**
 * Returns the id of a request: its name and a hash of its parameters. Requests share an id only if all parameters are
 * equal, in any order. An option that is `false` equals an absent option. BullMQ refuses ids with `:` and bare
 * integers, so `name` begins with a word and has no colon.
 */
export function jobId(name: string, parameters: object = {}): string {
  const text = JSON.stringify(parameters, sortedOptions);
  return text === '{}' ? name : `${name}-${sha256(text).slice(0, HASH_LENGTH)}`;
}

/** Sorts the fields of an object by name, for `JSON.stringify`. */
function sortedOptions(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(
    ([, inner]) => inner !== false && inner !== undefined,
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
