import test from 'ava';
import type { StagedMonth } from '../../../pipelines/flights/types.ts';
import { lossesOf, monthRefusal } from '../../../pipelines/flights/refusal.ts';
import { aComparison } from './helpers/comparison.ts';

function aMonth(flights: number, rejects: Record<string, number> = {}): StagedMonth {
  const rejected = Object.values(rejects).reduce((all, one) => all + one, 0);
  return { month: '2025-03', rowsRead: flights + rejected, flights, rejects };
}

const fewer = (flights: number) => aComparison({}, { flights });

test('a month the lake does not hold is written whatever its size', (t) => {
  t.is(monthRefusal(aMonth(1), { comparison: undefined, force: false }), undefined);
});

test('nine tenths of the flights held may replace them, one flight less may not', (t) => {
  t.is(monthRefusal(aMonth(900), { comparison: fewer(900), force: false }), undefined);
  t.deepEqual(monthRefusal(aMonth(899), { comparison: fewer(899), force: false }), {
    why: 'it holds 899 flights where the lake holds 1000; FORCE=1 replaces it anyway',
    isDirty: false,
  });
});

test('force replaces many flights by few, and takes no more bad rows than without', (t) => {
  t.is(monthRefusal(aMonth(1), { comparison: fewer(1), force: true }), undefined);
  t.deepEqual(
    monthRefusal(aMonth(98, { invalid_dest: 2 }), { comparison: fewer(98), force: true }),
    {
      why: '2 of 100 rows are bad (invalid_dest 2)',
      isDirty: true,
    },
  );
});

test('what is to stay stays, whatever comes', (t) => {
  t.deepEqual(
    monthRefusal(aMonth(9_999), { comparison: fewer(9_999), force: true, isSpared: true }),
    {
      why: 'the lake holds another source of it, which stays',
      isDirty: false,
    },
  );
});

test('a tenth of the flights held may be on days, from airports or of airlines that are missing; more may not', (t) => {
  const uncovered = { days: 100, airports: 100, airlines: 100 };
  t.deepEqual(lossesOf(aComparison({}, {}, { uncovered })), []);
  const more = { days: 870, airports: 101, airlines: 0 };
  t.deepEqual(lossesOf(aComparison({}, { flights: 9_000, days: 4 }, { uncovered: more })), [
    'it lacks days with 87 % of the flights held (it has 4, the lake 31)',
    'it lacks airports with 10 % of the flights held (it has 2, the lake 2)',
  ]);
});

test('an airline of a thousand flights may not vanish from a month, however small its share; a smaller one may', (t) => {
  const gone = [
    { airline: 'WN', flights: 54_000 },
    { airline: 'HA', flights: 1_000 },
    { airline: 'VX', flights: 999 },
  ];
  const uncovered = { days: 0, airports: 0, airlines: 55_999 };
  const many = { flights: 600_000 };
  t.deepEqual(lossesOf(aComparison(many, many, { uncovered, gone })), [
    'it has no flight of WN (54000 flights), HA (1000 flights)',
  ]);
  t.deepEqual(lossesOf(aComparison(many, many, { gone: gone.slice(2) })), []);
});

test('what tells less of the same flights is poorer: no days, no hours, departures only, sums', (t) => {
  t.deepEqual(lossesOf(aComparison({}, { days: 0 })), ['it tells no days, the lake does']);
  t.deepEqual(lossesOf(aComparison({}, {}, { timed: { held: 1, staged: 0 } })), [
    'fewer of its flights tell their hour',
  ]);
  t.deepEqual(lossesOf(aComparison({}, {}, { arrivals: { held: 1, staged: 0 } })), [
    'fewer of its flights tell their delay at arrival',
  ]);
  t.deepEqual(lossesOf(aComparison({}, { isSingle: false })), [
    'it holds sums, the lake single flights',
  ]);
});

test('what tells more is never in doubt', (t) => {
  const held = { days: 0, isSingle: false };
  const parts = { timed: { held: 0, staged: 1 }, arrivals: { held: 0, staged: 1 } };
  t.deepEqual(lossesOf(aComparison(held, {}, parts)), []);
});
