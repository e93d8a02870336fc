import test from 'ava';
import { batchCalls } from '../../../warehouse/keyring/batch-calls.ts';

test('calls in one turn of the event loop are one batch; later calls are another batch', async (t) => {
  const batches: string[][] = [];
  const call = batchCalls((inputs: string[]) => {
    batches.push(inputs);
    return Promise.resolve(inputs.map((input) => input.toUpperCase()));
  });
  t.deepEqual(await Promise.all(['a', 'b', 'c'].map(call)), ['A', 'B', 'C']);
  t.is(await call('d'), 'D');
  t.deepEqual(batches, [['a', 'b', 'c'], ['d']]);
});

test('a synchronous throw fails all calls of the batch, and the next batch works', async (t) => {
  let isBroken = true;
  const call = batchCalls((inputs: number[]) => {
    if (isBroken) throw new Error('thrown at once');
    return Promise.resolve(inputs);
  });
  const failed = await Promise.allSettled([call(1), call(2)]);
  t.deepEqual(
    failed.map((one) => one.status === 'rejected' && String(one.reason)),
    ['Error: thrown at once', 'Error: thrown at once'],
  );
  isBroken = false;
  t.is(await call(3), 3);
});

test('a rejection fails all calls of the batch, and the next batch works', async (t) => {
  let isFailing = true;
  const call = batchCalls((inputs: number[]) =>
    isFailing ? Promise.reject(new Error('unavailable')) : Promise.resolve(inputs),
  );
  const failed = await Promise.allSettled([call(1), call(2)]);
  t.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isFailing = false;
  t.is(await call(3), 3);
});
