import test from 'ava';
import { createMinuteCache } from '../../../api/live/minute-cache.ts';

function aCache(minutes?: number) {
  const world = { now: new Date('2026-11-20T12:00:10Z'), basis: {}, computed: 0 };
  const cache = createMinuteCache<number>(
    () => world.now,
    () => world.basis,
    minutes,
  );
  const read = (key: string) => cache(key, () => (world.computed += 1));
  return { world, read };
}

test('a value is computed once per minute', (t) => {
  const { world, read } = aCache();
  t.deepEqual([read('a'), read('a'), read('b'), read('a')], [1, 1, 2, 1]);
  world.now = new Date('2026-11-20T12:00:59Z');
  t.is(read('a'), 1);
  world.now = new Date('2026-11-20T12:01:00Z');
  t.is(read('a'), 3);
});

test('a value is computed again when the basis object changes', (t) => {
  const { world, read } = aCache();
  t.is(read('a'), 1);
  world.basis = {};
  t.is(read('a'), 2);
  t.is(read('a'), 2);
});

test('a cache of 15 minutes computes a value once per quarter of an hour', (t) => {
  const { world, read } = aCache(15);
  t.is(read('a'), 1);
  world.now = new Date('2026-11-20T12:14:59Z');
  t.is(read('a'), 1);
  world.now = new Date('2026-11-20T12:15:00Z');
  t.is(read('a'), 2);
});
