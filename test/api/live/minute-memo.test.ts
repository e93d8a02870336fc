import test from 'ava';
import { createMinuteMemo } from '../../../api/live/minute-memo.ts';

function aMemo(minutes?: number) {
  const world = { now: new Date('2026-11-20T12:00:10Z'), basis: {}, asked: 0 };
  const memo = createMinuteMemo<number>(
    () => world.now,
    () => world.basis,
    minutes,
  );
  const ask = (question: string) => memo(question, () => (world.asked += 1));
  return { world, ask };
}

test('a question is worked out once in a minute', (t) => {
  const { world, ask } = aMemo();
  t.deepEqual([ask('a'), ask('a'), ask('b'), ask('a')], [1, 1, 2, 1]);
  world.now = new Date('2026-11-20T12:00:59Z');
  t.is(ask('a'), 1);
  world.now = new Date('2026-11-20T12:01:00Z');
  t.is(ask('a'), 3);
});

test('what it rests on changes, and the question is worked out anew', (t) => {
  const { world, ask } = aMemo();
  t.is(ask('a'), 1);
  world.basis = {};
  t.is(ask('a'), 2);
  t.is(ask('a'), 2);
});

test('or once in so many minutes of the hour', (t) => {
  const { world, ask } = aMemo(15);
  t.is(ask('a'), 1);
  world.now = new Date('2026-11-20T12:14:59Z');
  t.is(ask('a'), 1);
  world.now = new Date('2026-11-20T12:15:00Z');
  t.is(ask('a'), 2);
});
