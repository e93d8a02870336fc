import test from 'ava';
import { createAsyncCache } from '../../../api/scoring/async-cache.ts';

const aCache = (maxSize: number) => createAsyncCache<string>(maxSize, ({ length }) => length);

test('a value is computed once per key, also for concurrent calls', async (t) => {
  const cache = aCache(10);
  let count = 0;
  const compute = (key: string) => async () => `${key}${(count += 1)}`;
  t.deepEqual(await Promise.all([cache('a', compute('a')), cache('a', compute('a'))]), [
    'a1',
    'a1',
  ]);
  t.is(await cache('b', compute('b')), 'b2');
  t.is(await cache('a', compute('a')), 'a1');
});

test('above its size the cache drops the least recently used value', async (t) => {
  const cache = aCache(4);
  const computed: string[] = [];
  const read = (key: string) =>
    cache(key, async () => {
      computed.push(key);
      return key;
    });
  for (const key of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb']) await read(key);
  t.deepEqual(computed, ['aa', 'bb', 'cc', 'bb']);
});

test('a value larger than the cache is not cached, and displaces no other value', async (t) => {
  const cache = aCache(4);
  const computed: string[] = [];
  const read = (key: string) =>
    cache(key, async () => {
      computed.push(key);
      return key;
    });
  for (const key of ['bb', 'larger', 'bb', 'larger']) t.is(await read(key), key);
  t.deepEqual(computed, ['bb', 'larger', 'larger']);
});

test('a failure is not cached', async (t) => {
  const cache = aCache(4);
  await t.throwsAsync(cache('a', () => Promise.reject(new Error('not now'))));
  t.is(await cache('a', async () => 'b'), 'b');
});
