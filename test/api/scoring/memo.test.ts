import test from 'ava';
import { createMemo } from '../../../api/scoring/memo.ts';

test('an answer is made once for each key, also when asked for together', async (t) => {
  const memo = createMemo<string>(10);
  let made = 0;
  const make = (key: string) => () => Promise.resolve(`${key}${(made += 1)}`);
  t.deepEqual(await Promise.all([memo('a', make('a')), memo('a', make('a'))]), ['a1', 'a1']);
  t.is(await memo('b', make('b')), 'b2');
  t.is(await memo('a', make('a')), 'a1');
});

test('beyond its size the oldest answer is forgotten', async (t) => {
  const memo = createMemo<number>(2);
  let made = 0;
  const make = () => Promise.resolve((made += 1));
  for (const key of ['a', 'b', 'c']) await memo(key, make);
  t.is(await memo('c', make), 3);
  t.is(await memo('b', make), 2);
  t.is(await memo('a', make), 4);
});

test('an answer that is not to be kept is made anew', async (t) => {
  const memo = createMemo<number | undefined>(2, (value) => value !== undefined);
  t.is(await memo('a', () => Promise.resolve(undefined)), undefined);
  t.is(await memo('a', () => Promise.resolve(1)), 1);
});
