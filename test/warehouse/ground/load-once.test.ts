import test from 'ava';
import { loadOnce, loadOnceFor, memoizeLast } from '../../../warehouse/ground/load-once.ts';

test('a result is cached, a failure is not', async (t) => {
  let calls = 0;
  const load = loadOnce(async () => {
    calls += 1;
    if (calls === 1) throw new Error('unavailable');
    return calls;
  });
  t.is(calls, 0);
  const [one, other] = [load(), load()];
  await t.throwsAsync(one, { message: 'unavailable' });
  await t.throwsAsync(other, { message: 'unavailable' });
  t.is(calls, 1);
  t.is(await load(), 2);
  t.is(await load(), 2);
});

test('each key has its own result', async (t) => {
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const calls: string[] = [];
  const load = loadOnceFor(async ({ name }: { name: string }) => {
    calls.push(name);
    if (calls.length === 1) throw new Error('unavailable');
    return `of ${name}`;
  });
  await t.throwsAsync(load(a), { message: 'unavailable' });
  t.is(await load(b), 'of b');
  t.is(await load(a), 'of a');
  t.is(await load(a), 'of a');
  t.deepEqual(calls, ['a', 'b', 'a']);
});

test('only the last result of each key is used again', (t) => {
  const calls: string[] = [];
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const describe = memoizeLast(
    (before: number, input: number) => before === input,
    (input: number, { name }: { name: string }) => {
      calls.push(`${name}${input}`);
      return `${input} of ${name}`;
    },
  );
  t.deepEqual([describe(1, a), describe(1, b), describe(1, a)], ['1 of a', '1 of b', '1 of a']);
  t.deepEqual([describe(2, a), describe(1, a), describe(1, a)], ['2 of a', '1 of a', '1 of a']);
  t.deepEqual(calls, ['a1', 'b1', 'a2', 'a1']);
});
