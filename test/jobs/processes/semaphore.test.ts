import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createSemaphore } from '../../../jobs/processes/semaphore.ts';

test('no more than its places are in at a time, and all get their turn', async (t) => {
  const gate = createSemaphore(2);
  let [inside, most] = [0, 0];
  const work = (n: number) =>
    gate(async () => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(5);
      inside -= 1;
      return n;
    });
  t.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(work)), [1, 2, 3, 4, 5]);
  t.is(most, 2);
});

test('work that fails gives its place back', async (t) => {
  const gate = createSemaphore(1);
  await t.throwsAsync(gate(() => Promise.reject(new Error('disk away'))));
  t.is(await gate(async () => 'in'), 'in');
});
