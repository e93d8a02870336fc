import test from 'ava';
import { keepRunning } from '../../../warehouse/ground/keep-running.ts';

test('what ends at once is started again, each time after twice as long', async (t) => {
  const waits: number[] = [];
  let starts = 0;
  await keepRunning(
    {
      live: async () => (starts += 1),
      ended: (nth, { isSettled, waitMs }) => {
        t.false(isSettled);
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

test('an end that was asked for is told nobody, and nothing starts after it', async (t) => {
  const stopping = new AbortController();
  let starts = 0;
  await keepRunning(
    {
      live: async () => {
        starts += 1;
        stopping.abort();
      },
      ended: () => t.fail() as boolean,
      firstWaitMs: 1,
    },
    stopping.signal,
  );
  t.is(starts, 1);
});

test('a stop cuts the wait for the next start short', async (t) => {
  const stopping = new AbortController();
  let starts = 0;
  await keepRunning(
    {
      live: async () => (starts += 1),
      ended: () => {
        setImmediate(() => stopping.abort());
        return true;
      },
      firstWaitMs: 3_600_000,
    },
    stopping.signal,
  );
  t.is(starts, 1);
});
