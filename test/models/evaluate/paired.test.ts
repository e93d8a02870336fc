import test from 'ava';
import { pairedGain, type PairedCase } from '../../../models/evaluate/paired.ts';

/** Ten flights of a day of which two are late. */
function aCase(changes: Partial<PairedCase>): PairedCase {
  return { block: '2025-03-01', flights: 10, delayed: 2, candidate: 0.2, rival: 0.2, ...changes };
}

test('the gain is what the squared distance falls by a flight', (t) => {
  // Always 0.2: 2 × 0.64 + 8 × 0.04 = 1.6; always 0.3: 2 × 0.49 + 8 × 0.09 = 1.7.
  const { gain, low, high, blocks } = pairedGain([aCase({ rival: 0.3 })]);
  t.is(gain.toFixed(6), '0.010000');
  t.is(low, gain);
  t.is(high, gain);
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
  t.is(a.low.toFixed(9), b.low.toFixed(9));
  t.is(a.high.toFixed(9), b.high.toFixed(9));
  t.true(a.low < a.gain && a.gain < a.high);
});

test('equal forecasts gain nothing, with no doubt about it', (t) => {
  const cases = ['a', 'b', 'c'].map((block) => aCase({ block }));
  t.deepEqual(pairedGain(cases), { gain: 0, low: 0, high: 0, blocks: 3 });
});

test('a gain of one day in thirty is within the noise, the same gain every day is not', (t) => {
  const days = Array.from({ length: 30 }, (_, day) => String(day));
  const lucky = days.map((block) => aCase({ block, rival: block === '0' ? 0.9 : 0.2 }));
  t.true(pairedGain(lucky).gain > 0);
  t.true(pairedGain(lucky).low <= 0);
  const steady = days.map((block, at) => aCase({ block, delayed: at % 5, rival: 0.6 }));
  t.true(pairedGain(steady).low > 0);
});

test('the same flights give the same interval', (t) => {
  const cases = Array.from({ length: 40 }, (_, at) =>
    aCase({ block: String(at), delayed: at % 7, rival: 0.3 }),
  );
  t.deepEqual(pairedGain(cases), pairedGain(cases));
});
