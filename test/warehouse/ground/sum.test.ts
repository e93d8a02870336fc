import test from 'ava';
import { sum } from '../../../warehouse/ground/sum.ts';

test('numbers add up in any kind of list, and none to 0', (t) => {
  t.is(sum([1, 2, 3.5]), 6.5);
  t.is(sum(Float64Array.of(1, 2)), 3);
  t.is(sum([]), 0);
});
