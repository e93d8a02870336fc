import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { createTurnQueue } from '../../api/turns.ts';

test('a turn starts work until its time has passed, the longest waiting first', async (t) => {
  let clock = 0;
  const run = createTurnQueue(5, () => clock);
  const started: number[] = [];
  const works = [2, 2, 2, 9, 1].map((ms, at) =>
    run(() => {
      started.push(at);
      clock += ms;
      return at;
    }),
  );
  t.deepEqual(started, []);
  for (const expected of [
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
  ]) {
    await nextTurn();
    t.deepEqual(started, expected);
  }
  t.deepEqual(await Promise.all(works), [0, 1, 2, 3, 4]);
});

test('without time, each turn starts one piece of work', async (t) => {
  const run = createTurnQueue(0);
  const seen: string[] = [];
  const callers = ['first', 'second', 'third'].map((name) => run(() => seen.push(name)));
  for (const expected of [['first'], ['first', 'second'], ['first', 'second', 'third']]) {
    await nextTurn();
    t.deepEqual(seen, expected);
  }
  await Promise.all(callers);
});

test('work that fails rejects its own promise, and the next work still starts', async (t) => {
  const run = createTurnQueue(0);
  const broken = run(() => {
    throw new Error('broken');
  });
  const good = run(() => 'good');
  await t.throwsAsync(broken, { message: 'broken' });
  t.is(await good, 'good');
});

test('work that comes after all others have started waits one turn', async (t) => {
  const run = createTurnQueue(0);
  await run(() => undefined);
  let hasStarted = false;
  const work = run(() => (hasStarted = true));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  await Promise.resolve();
  t.false(hasStarted);
  await work;
  t.true(hasStarted);
});

test('work sees the asynchronous context of its caller', async (t) => {
  const context = new AsyncLocalStorage<string>();
  const run = createTurnQueue(5);
  const seen = ['first', 'second'].map((name) =>
    context.run(name, () => run(() => context.getStore())),
  );
  t.deepEqual(await Promise.all(seen), ['first', 'second']);
});

test('work that queues more work does not start a second chain of turns', async (t) => {
  const run = createTurnQueue(0);
  const seen: number[] = [];
  void run(() => {
    for (const one of [1, 2, 3]) void run(() => seen.push(one));
  });
  for (const expected of [[], [1], [1, 2], [1, 2, 3]]) {
    await nextTurn();
    t.deepEqual(seen, expected);
  }
});
