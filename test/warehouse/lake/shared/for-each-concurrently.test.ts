import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { forEachConcurrently } from '../../../../warehouse/lake/shared/for-each-concurrently.ts';

test('all items are done, no more at once than allowed', async (t) => {
  let [running, most] = [0, 0];
  const done: number[] = [];
  await forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(2);
    running -= 1;
    done.push(item);
  });
  t.deepEqual(
    done.toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5],
  );
  t.is(most, 2);
});

test('after a failure no further item starts, and running items end before the error is thrown', async (t) => {
  const [started, ended]: number[][] = [[], []];
  const error = await t.throwsAsync(
    forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
      started!.push(item);
      if (item === 2) throw new Error('disk full');
      await sleep(5);
      ended!.push(item);
    }),
  );
  t.is(error?.message, 'disk full');
  t.deepEqual({ started, ended }, { started: [1, 2], ended: [1] });
});
