import test from 'ava';
import { isBeyondNoise, pairedGain, type PairedCase } from '../../../models/evaluate/paired.ts';

/** Ten flights of a day of which two are late. */
function aCase(changes: Partial<PairedCase>): PairedCase {
  return { block: '2025-03-01', flights: 10, delayed: 2, candidate: 0.2, rival: 0.2, ...changes };
}

test('the gain is what the squared distance falls by a flight', (t) => {
  // Always 0.2: 2 × 0.64 + 8 × 0.04 = 1.6; always 0.3: 2 × 0.49 + 8 × 0.09 = 1.7.
  const { gain, blocks } = pairedGain([aCase({ rival: 0.3 })]);
  t.is(gain.toFixed(6), '0.010000');
  t.is(blocks, 1);
});

test('flights of a day are one draw of chance, however many groups they are told in', (t) => {
  const days = Array.from({ length: 30 }, (_, day) => `2025-03-${day + 1}`);
  const whole = days.map((block, at) => aCase({ block, delayed: at % 5, rival: 0.25 }));
  const halves = whole.flatMap((one) => [
    { ...one, flights: 5, delayed: one.delayed / 2 },
    { ...one, flights: 5, delayed: one.delayed / 2 },
  ]);
  const [a, b] = [pairedGain(whole), pairedGain(halves)];
  t.is(a.blocks, 30);
  t.true(a.error > 0);
  t.is(a.error.toFixed(9), b.error.toFixed(9));
});

test('the error is that of a mean over days', (t) => {
  // A day gains 0.1 or 0.3 a flight; the mean of a hundred such days errs by 0.1 / √100.
  const cases = Array.from({ length: 100 }, (_, at) =>
    aCase({ block: String(at), delayed: 0, candidate: 0, rival: Math.sqrt(at % 2 ? 0.1 : 0.3) }),
  );
  const { gain, error } = pairedGain(cases);
  t.is(gain.toFixed(6), '0.200000');
  t.true(Math.abs(error - 0.01) < 0.001, `${error}`);
});

test('equal forecasts gain nothing, with no doubt about it', (t) => {
  const cases = ['a', 'b', 'c'].map((block) => aCase({ block }));
  const none = pairedGain(cases);
  t.deepEqual(none, { gain: 0, error: 0, blocks: 3 });
  t.false(isBeyondNoise(none));
});

test('a gain of one day in thirty is within the noise, the same gain every day is not', (t) => {
  const days = Array.from({ length: 30 }, (_, day) => String(day));
  const lucky = days.map((block) => aCase({ block, rival: block === '0' ? 0.9 : 0.2 }));
  t.true(pairedGain(lucky).gain > 0);
  t.false(isBeyondNoise(pairedGain(lucky)));
  const steady = days.map((block, at) => aCase({ block, delayed: at % 5, rival: 0.6 }));
  t.true(isBeyondNoise(pairedGain(steady)));
});

test('the same flights give the same error', (t) => {
  const cases = Array.from({ length: 40 }, (_, at) =>
    aCase({ block: String(at), delayed: at % 7, rival: 0.3 }),
  );
  t.deepEqual(pairedGain(cases), pairedGain(cases));
});
