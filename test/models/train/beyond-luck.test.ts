import test from 'ava';
import { isBeyondLuck } from '../../../models/train/trees.ts';

test('one month is never enough, and a gain of zero does not count', (t) => {
  t.false(isBeyondLuck([]));
  t.false(isBeyondLuck([100]));
  t.false(isBeyondLuck([0, 0]));
  t.false(isBeyondLuck([-3, -2]));
});

test('similar gains count, and gains with opposite signs do not', (t) => {
  t.true(isBeyondLuck([5, 5.1]));
  t.false(isBeyondLuck([10, -4]));
});

test('with fewer months the sum must exceed its error by more', (t) => {
  // The sum of each list is 1.3 times its standard error.
  const gains = (count: number) => {
    const spread = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 1 : -1));
    const squares = count;
    const mean = (1.3 * Math.sqrt((squares * count) / (count - 1))) / count;
    return spread.map((one) => one + mean);
  };
  t.deepEqual(
    [2, 4, 6].map((count) => isBeyondLuck(gains(count))),
    [false, true, true],
  );
});
