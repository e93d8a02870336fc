import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { RedisAwayError } from '../../../warehouse/errors.ts';
import { createDeadline } from '../../../warehouse/keyring/deadline.ts';

const DEADLINE_MS = 20;

test('a command that throws at once has failed, and the next ones are sent when its time is over', async (t) => {
  const timed: boolean[] = [];
  const { ask } = createDeadline(DEADLINE_MS, (_seconds, isGood) => timed.push(isGood));
  const cause = new Error('thrown at once');
  const error = await t.throwsAsync(
    ask(() => {
      throw cause;
    }),
    { instanceOf: RedisAwayError },
  );
  t.is(error.cause, cause);
  await sleep(3 * DEADLINE_MS);
  t.is(await ask(async () => 'answer'), 'answer');
  t.deepEqual(timed, [false, true], 'each is timed once');
});

test('while an answer is owed no command is sent, and an answer that comes too late goes to who wants it', async (t) => {
  const { ask } = createDeadline(DEADLINE_MS);
  const answer = Promise.withResolvers<string>();
  const late: string[] = [];
  await t.throwsAsync(
    ask(
      () => answer.promise,
      (text) => void late.push(text),
    ),
    { message: 'redis did not answer in 20 ms' },
  );
  await t.throwsAsync(ask(t.fail), { message: 'redis still owes an earlier answer' });
  answer.resolve('late');
  await sleep(1);
  t.deepEqual(late, ['late']);
  t.is(await ask(async () => 'answer'), 'answer');
});
