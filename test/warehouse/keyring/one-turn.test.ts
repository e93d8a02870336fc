import test from 'ava';
import { inOneTurn } from '../../../warehouse/keyring/one-turn.ts';

test('what is asked in one turn of the event loop is asked together, that of the next apart', async (t) => {
  const asked: string[][] = [];
  const ask = inOneTurn((questions: string[]) => {
    asked.push(questions);
    return Promise.resolve(questions.map((question) => question.toUpperCase()));
  });
  t.deepEqual(await Promise.all(['a', 'b', 'c'].map(ask)), ['A', 'B', 'C']);
  t.is(await ask('d'), 'D');
  t.deepEqual(asked, [['a', 'b', 'c'], ['d']]);
});

test('those asked together fail when asking throws, and the next are asked anew', async (t) => {
  let isBroken = true;
  const ask = inOneTurn((questions: number[]) => {
    if (isBroken) throw new Error('thrown at once');
    return Promise.resolve(questions);
  });
  const failed = await Promise.allSettled([ask(1), ask(2)]);
  t.deepEqual(
    failed.map((one) => one.status === 'rejected' && String(one.reason)),
    ['Error: thrown at once', 'Error: thrown at once'],
  );
  isBroken = false;
  t.is(await ask(3), 3);
});

test('those asked together fail together, and the next are asked anew', async (t) => {
  let isAway = true;
  const ask = inOneTurn((questions: number[]) =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve(questions),
  );
  const failed = await Promise.allSettled([ask(1), ask(2)]);
  t.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isAway = false;
  t.is(await ask(3), 3);
});
