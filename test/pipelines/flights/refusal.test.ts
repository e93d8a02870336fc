import test from 'ava';
import type { StagedMonth } from '../../../pipelines/flights/types.ts';
import { refusalOf } from '../../../pipelines/flights/refusal.ts';

function aMonth(flights: number, rejects: Record<string, number> = {}): StagedMonth {
  const rejected = Object.values(rejects).reduce((all, one) => all + one, 0);
  return { month: '2025-03', rowsRead: flights + rejected, flights, rejects };
}

const HELD = { flightsHeld: 1_000, force: false };

test('a month the lake does not hold is written whatever its size', (t) => {
  t.is(refusalOf(aMonth(1), { flightsHeld: undefined, force: false }), undefined);
});

test('nine tenths of the flights held may replace them, one flight less may not', (t) => {
  t.is(refusalOf(aMonth(900), HELD), undefined);
  t.deepEqual(refusalOf(aMonth(899), HELD), {
    why: 'it holds 899 flights where the lake holds 1000; FORCE=1 replaces them anyway',
    isDirty: false,
  });
});

test('force replaces many flights by few, and takes no more bad rows than without', (t) => {
  t.is(refusalOf(aMonth(1), { ...HELD, force: true }), undefined);
  t.deepEqual(refusalOf(aMonth(98, { invalid_dest: 2 }), { ...HELD, force: true }), {
    why: '2 of 100 rows are bad (invalid_dest 2)',
    isDirty: true,
  });
});

test('what is to stay stays, whatever comes', (t) => {
  t.deepEqual(refusalOf(aMonth(9_999), { ...HELD, force: true, isSpared: true }), {
    why: 'the lake holds another source of it, which stays',
    isDirty: false,
  });
});
