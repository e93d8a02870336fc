import test from 'ava';
import { createAccountSlots } from '../../../jobs/queue/account-slots.ts';

test('an account has 20 slots; further deliveries wait, each a little longer, and other accounts do not', (t) => {
  const slots = createAccountSlots();
  for (let taken = 0; taken < 20; taken += 1) t.is(slots.take('a'), 0);
  const waits = [slots.take('a'), slots.take('a'), slots.take('a')];
  t.true(waits[0]! >= 250 && waits[0]! < waits[1]! && waits[1]! < waits[2]!, String(waits));
  t.is(slots.take('b'), 0);
  slots.release('a');
  t.is(slots.take('a'), 0);
});
