/**
 * Maps positive integers to rows or positions. With half a million entries, it takes a fifth of the memory and time of
 * a Map.
 */
export type NumberIndex = {
  /** Returns the value of the number, or -1 if there is none. */
  get: (number: number) => number;
  set: (number: number, value: number) => void;
  size: () => number;
};

/** Marks a free slot. */
const FREE = 0;

/** Creates an empty index. It does not have to grow if it gets at most the expected number of entries. */
export function createNumberIndex(expected = 0): NumberIndex {
  // A number and its value are stored next to each other, so that a look-up reads one place in memory.
  let pairs = new Float64Array(2 ** Math.ceil(Math.log2(Math.max(2 * 64, 3 * expected + 1))));
  let size = 0;
  /**
   * Returns the slot of the number. The search starts at the position of the number's hash, and ends at a slot that is
   * free or has the number.
   */
  const slotOf = (number: number): number => {
    const last = pairs.length - 2;
    let slot = (hashNumber(number) << 1) & last;
    for (
      let occupant = pairs[slot];
      occupant !== FREE && occupant !== number;
      occupant = pairs[slot]
    ) {
      slot = (slot + 2) & last;
    }
    return slot;
  };
  const put = (number: number, value: number) => {
    const slot = slotOf(number);
    if (pairs[slot] === FREE) size += 1;
    pairs[slot] = number;
    pairs[slot + 1] = value;
  };
  const grow = () => {
    const before = pairs;
    pairs = new Float64Array(2 * before.length);
    size = 0;
    for (let at = 0; at < before.length; at += 2) {
      const number = before[at] as number;
      if (number !== FREE) put(number, before[at + 1] as number);
    }
  };
  return {
    get: (number) => {
      const slot = slotOf(number);
      return pairs[slot] === FREE ? -1 : (pairs[slot + 1] as number);
    },
    set: (number, value) => {
      if (3 * size > pairs.length) grow();
      put(number, value);
    },
    size: () => size,
  };
}

/** Hashes the number so that neighbouring numbers get distant positions. */
function hashNumber(number: number): number {
  const highBits = Math.trunc(number / 2 ** 32);
  const bits = Math.imul(number ^ Math.imul(highBits, 0x9e37_79b1), 0x85eb_ca6b);
  return bits ^ (bits >>> 15);
}
