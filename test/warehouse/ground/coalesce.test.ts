import test from 'ava';
import { coalesceBy } from '../../../warehouse/ground/load-once.ts';

test('concurrent calls with equal identities share one run; other identities run in parallel', async (t) => {
  const [a, b] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const calls: string[] = [];
  const work = coalesceBy(
    (name: string) => name,
    (name) => {
      calls.push(name);
      return name === 'a' ? a.promise : b.promise;
    },
  );
  const results = [work('a'), work('a'), work('b')];
  t.deepEqual(calls, ['a', 'b']);
  b.resolve('result b');
  a.resolve('result a');
  t.deepEqual(await Promise.all(results), ['result a', 'result a', 'result b']);
});

test('work that failed runs again on the next call', async (t) => {
  let calls = 0;
  const work = coalesceBy(
    () => 'a',
    async () => {
      calls += 1;
      if (calls === 1) throw new Error('unavailable');
      return calls;
    },
  );
  await t.throwsAsync(work(undefined), { message: 'unavailable' });
  t.is(await work(undefined), 2);
});
