import test from 'ava';
import { createMemo } from '../../../api/scoring/memo.ts';

const sized = (atMost: number) => createMemo<string>(atMost, ({ length }) => length);

test('an answer is made once for each key, also while it is waited for', async (t) => {
  const memo = sized(10);
  let made = 0;
  const make = (key: string) => async () => `${key}${(made += 1)}`;
  t.deepEqual(await Promise.all([memo('a', make('a')), memo('a', make('a'))]), ['a1', 'a1']);
  t.is(await memo('b', make('b')), 'b2');
  t.is(await memo('a', make('a')), 'a1');
});

test('beyond its size the answer not asked for the longest time is forgotten', async (t) => {
  const memo = sized(4);
  const made: string[] = [];
  const ask = (key: string) =>
    memo(key, async () => {
      made.push(key);
      return key;
    });
  for (const key of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb']) await ask(key);
  t.deepEqual(made, ['aa', 'bb', 'cc', 'bb']);
  await ask('larger than all of it');
  await ask('bb');
  t.deepEqual(made.slice(4), ['larger than all of it', 'bb']);
});

test('a failure is not kept', async (t) => {
  const memo = sized(4);
  await t.throwsAsync(memo('a', () => Promise.reject(new Error('not now'))));
  t.is(await memo('a', async () => 'b'), 'b');
});
