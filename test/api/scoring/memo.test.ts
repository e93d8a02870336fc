import test from 'ava';
import { createMemo } from '../../../api/scoring/memo.ts';

test('an answer is made once for each key', (t) => {
  const memo = createMemo<string>(10);
  let made = 0;
  const make = (key: string) => () => `${key}${(made += 1)}`;
  t.deepEqual([memo('a', make('a')), memo('a', make('a'))], ['a1', 'a1']);
  t.is(memo('b', make('b')), 'b2');
  t.is(memo('a', make('a')), 'a1');
});

test('beyond its size the oldest answer is forgotten', (t) => {
  const memo = createMemo<number>(2);
  let made = 0;
  const make = () => (made += 1);
  for (const key of ['a', 'b', 'c']) memo(key, make);
  t.is(memo('c', make), 3);
  t.is(memo('b', make), 2);
  t.is(memo('a', make), 4);
});

test('an answer that is none is made anew', (t) => {
  const memo = createMemo<number | undefined>(2);
  t.is(
    memo('a', () => undefined),
    undefined,
  );
  t.is(
    memo('a', () => 1),
    1,
  );
});
