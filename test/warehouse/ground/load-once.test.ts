import test from 'ava';
import { loadOnce, loadOnceFor } from '../../../warehouse/ground/load-once.ts';

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
