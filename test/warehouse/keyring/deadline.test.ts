import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { RedisUnavailableError } from '../../../warehouse/errors.ts';
import { createDeadline } from '../../../warehouse/keyring/deadline.ts';

const DEADLINE_MS = 20;

test('a command that throws at once fails, and later commands are sent', async (t) => {
  const timings: boolean[] = [];
  const { run } = createDeadline(DEADLINE_MS, (_seconds, isGood) => timings.push(isGood));
  const cause = new Error('thrown at once');
  const error = await t.throwsAsync(
    run(() => {
      throw cause;
    }),
    { instanceOf: RedisUnavailableError },
  );
  t.is(error.cause, cause);
  await sleep(3 * DEADLINE_MS);
  t.is(await run(async () => 'answer'), 'answer');
  t.deepEqual(timings, [false, true], 'each command is timed once');
});

test('while a command is unanswered, no other command is sent; a late reply goes to onLateReply', async (t) => {
  const { run } = createDeadline(DEADLINE_MS);
  const answer = Promise.withResolvers<string>();
  const lateReplies: string[] = [];
  await t.throwsAsync(
    run(
      () => answer.promise,
      (text) => void lateReplies.push(text),
    ),
    { message: 'redis did not answer in 20 ms' },
  );
  await t.throwsAsync(run(t.fail), { message: 'redis has not answered an earlier command yet' });
  answer.resolve('late');
  await sleep(1);
  t.deepEqual(lateReplies, ['late']);
  t.is(await run(async () => 'answer'), 'answer');
});
