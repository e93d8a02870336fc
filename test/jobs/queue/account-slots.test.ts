import test from 'ava';
import { createAccountSlots } from '../../../jobs/queue/account-slots.ts';

test('an account has 20 slots; further deliveries wait, each a little longer, and other accounts do not', (t) => {
  const slots = createAccountSlots();
  for (let taken = 0; taken < 20; taken += 1) t.is(slots.take('a'), 0);
  const waits = [slots.take('a'), slots.take('a'), slots.take('a')];
  t.true(waits[0]! >= 250 && waits[0]! < waits[1]! && waits[1]! < waits[2]!, String(waits));
  t.is(slots.take('b'), 0);
  slots.release('a', 'accepted');
  t.is(slots.take('a'), 0);
});

test('after a failure an account has 5 slots until the next success, so that hanging receivers leave slots to others', (t) => {
  const slots = createAccountSlots();
  const takeAll = () => {
    let count = 0;
    while (slots.take('a') === 0) count += 1;
    return count;
  };
  t.is(takeAll(), 20);
  for (let taken = 0; taken < 20; taken += 1) slots.release('a', 'failed');
  t.is(takeAll(), 5);
  t.is(slots.take('b'), 0);
  slots.release('a', 'failed');
  slots.release('a', 'accepted');
  t.is(takeAll(), 17, 'three deliveries still run');
});
