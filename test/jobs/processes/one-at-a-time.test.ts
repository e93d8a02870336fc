import test from 'ava';
import { joined } from '../../../jobs/processes/one-at-a-time.ts';

test('work of one name runs once at a time, that of others beside it', async (t) => {
  const [a, b] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const begun: string[] = [];
  const work = joined(
    (name: string) => name,
    (name) => {
      begun.push(name);
      return name === 'a' ? a.promise : b.promise;
    },
  );
  const asked = [work('a'), work('a'), work('b')];
  t.deepEqual(begun, ['a', 'b']);
  b.resolve('of b');
  a.resolve('of a');
  t.deepEqual(await Promise.all(asked), ['of a', 'of a', 'of b']);
});

test('what failed is begun anew the next time it is asked for', async (t) => {
  let calls = 0;
  const work = joined(
    () => 'a',
    async () => {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return calls;
    },
  );
  await t.throwsAsync(work(undefined), { message: 'away' });
  t.is(await work(undefined), 2);
});
