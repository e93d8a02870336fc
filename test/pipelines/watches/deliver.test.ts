import test from 'ava';
import { deliveryWaitMs } from '../../../pipelines/watches/deliver.ts';

test('waits grow from 10 s to an hour, and are shortened by up to a half', (t) => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 30].map((attempts) => deliveryWaitMs(attempts, () => 0));
  t.deepEqual(
    longest,
    [10, 30, 90, 270, 810, 2_430, 3_600, 3_600].map((s) => s * 1_000),
  );
  t.is(
    deliveryWaitMs(1, () => 1),
    5_000,
  );
});
