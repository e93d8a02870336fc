import test from 'ava';
import { keepRunning } from '../../../warehouse/ground/keep-running.ts';

test('a process that ends at once is restarted, each time after twice the wait', async (t) => {
  const waits: number[] = [];
  let starts = 0;
  await keepRunning(
    {
      run: async () => (starts += 1),
      shouldRestart: (nth, { isStable, waitMs }) => {
        t.false(isStable);
        t.is(nth, starts);
        waits.push(waitMs);
        return nth < 4;
      },
      firstWaitMs: 1,
    },
    new AbortController().signal,
  );
  t.deepEqual(waits, [2, 4, 8, 16]);
});

test('a stopped process is not restarted, and its end is not reported', async (t) => {
  const stopping = new AbortController();
  let starts = 0;
  await keepRunning(
    {
      run: async () => {
        starts += 1;
        stopping.abort();
      },
      shouldRestart: () => t.fail() as boolean,
      firstWaitMs: 1,
    },
    stopping.signal,
  );
  t.is(starts, 1);
});

test('a stop ends the wait before a restart', async (t) => {
  const stopping = new AbortController();
  let starts = 0;
  await keepRunning(
    {
      run: async () => (starts += 1),
      shouldRestart: () => {
        setImmediate(() => stopping.abort());
        return true;
      },
      firstWaitMs: 3_600_000,
    },
    stopping.signal,
  );
  t.is(starts, 1);
});
