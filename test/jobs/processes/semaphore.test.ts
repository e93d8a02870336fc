import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createSemaphore } from '../../../jobs/processes/semaphore.ts';

test('work above the limit waits, and all work runs in the end', async (t) => {
  const gate = createSemaphore(2);
  let [running, most] = [0, 0];
  const work = (n: number) =>
    gate(async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(5);
      running -= 1;
      return n;
    });
  t.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(work)), [1, 2, 3, 4, 5]);
  t.is(most, 2);
});

test('work that fails frees its slot', async (t) => {
  const gate = createSemaphore(1);
  await t.throwsAsync(gate(() => Promise.reject(new Error('disk unavailable'))));
  t.is(await gate(async () => 'in'), 'in');
});
