import test from 'ava';
import { sum } from '../../../warehouse/ground/numbers.ts';

test('the sum works for arrays and typed arrays; the sum of an empty list is 0', (t) => {
  t.is(sum([1, 2, 3.5]), 6.5);
  t.is(sum(Float64Array.of(1, 2)), 3);
  t.is(sum([]), 0);
});
