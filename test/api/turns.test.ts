import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { createTurnQueue } from '../../api/turns.ts';

test('one caller continues in each turn of the event loop, the longest waiting first', async (t) => {
  const wait = createTurnQueue();
  const seen: string[] = [];
  const callers = ['first', 'second', 'third'].map((name) => wait().then(() => seen.push(name)));
  for (const expected of [['first'], ['first', 'second'], ['first', 'second', 'third']]) {
    await nextTurn();
    t.deepEqual(seen, expected);
  }
  await Promise.all(callers);
});

test('a caller that comes after all others have continued waits one turn', async (t) => {
  const wait = createTurnQueue();
  await wait();
  let hasContinued = false;
  const caller = wait().then(() => (hasContinued = true));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  await Promise.resolve();
  t.false(hasContinued);
  await caller;
  t.true(hasContinued);
});
