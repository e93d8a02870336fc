import test from 'ava';
import type { StagedMonth } from '../../../pipelines/flights/types.ts';
import { describeLosses, monthRefusal } from '../../../pipelines/flights/refusal.ts';
import { aComparison } from './helpers/comparison.ts';

function aMonth(flights: number, rejects: Record<string, number> = {}): StagedMonth {
  const rejected = Object.values(rejects).reduce((all, one) => all + one, 0);
  return { month: '2025-03', rowsRead: flights + rejected, flights, rejects };
}

const comparisonWith = (flights: number) => aComparison({}, { flights });

test('a month that the lake lacks is written whatever its size', (t) => {
  t.is(monthRefusal(aMonth(1), { comparison: undefined, force: false }), undefined);
});

test('a month with 90 % of the flights in the lake may replace it, a month with one flight less may not', (t) => {
  t.is(monthRefusal(aMonth(900), { comparison: comparisonWith(900), force: false }), undefined);
  t.deepEqual(monthRefusal(aMonth(899), { comparison: comparisonWith(899), force: false }), {
    why: 'it has 899 flights, the lake 1000; FORCE=1 replaces the month anyway',
    hasBadRows: false,
  });
});

test('force replaces many flights with few, but does not accept more rejected rows', (t) => {
  t.is(monthRefusal(aMonth(1), { comparison: comparisonWith(1), force: true }), undefined);
  t.deepEqual(
    monthRefusal(aMonth(98, { invalid_dest: 2 }), { comparison: comparisonWith(98), force: true }),
    {
      why: '2 of 100 rows are rejected (invalid_dest 2)',
      hasBadRows: true,
    },
  );
});

test('a protected month is never replaced', (t) => {
  t.deepEqual(
    monthRefusal(aMonth(9_999), {
      comparison: comparisonWith(9_999),
      force: true,
      isProtected: true,
    }),
    {
      why: 'the lake has the month from another source, which this load must not replace',
      hasBadRows: false,
    },
  );
});

test('missing days, airports and airlines may have 10 % of the flights in the lake, but not more', (t) => {
  const uncovered = { days: 100, airports: 100, airlines: 100 };
  t.deepEqual(describeLosses(aComparison({}, {}, { uncovered })), []);
  const more = { days: 870, airports: 101, airlines: 0 };
  t.deepEqual(describeLosses(aComparison({}, { flights: 9_000, days: 4 }, { uncovered: more })), [
    "it lacks days with 87 % of the lake's flights (it has 4, the lake 31)",
    "it lacks airports with 10 % of the lake's flights (it has 2, the lake 2)",
  ]);
});

test('an airline with 1,000 flights must not be missing, however small its share; a smaller airline may', (t) => {
  const lostAirlines = [
    { airline: 'WN', flights: 54_000 },
    { airline: 'HA', flights: 1_000 },
    { airline: 'VX', flights: 999 },
  ];
  const uncovered = { days: 0, airports: 0, airlines: 55_999 };
  const many = { flights: 600_000 };
  t.deepEqual(describeLosses(aComparison(many, many, { uncovered, lostAirlines })), [
    'it has no flights of WN (54000 in the lake), HA (1000 in the lake)',
  ]);
  t.deepEqual(describeLosses(aComparison(many, many, { lostAirlines: lostAirlines.slice(2) })), []);
});

test('a source without days, hours, arrival delays or single flights is poorer', (t) => {
  t.deepEqual(describeLosses(aComparison({}, { days: 0 })), ['it has no dates, but the lake does']);
  t.deepEqual(describeLosses(aComparison({}, {}, { departureHours: { current: 1, staged: 0 } })), [
    'fewer of its flights have a departure hour',
  ]);
  t.deepEqual(describeLosses(aComparison({}, {}, { arrivals: { current: 1, staged: 0 } })), [
    'fewer of its flights have an arrival delay',
  ]);
  t.deepEqual(describeLosses(aComparison({}, { isSingle: false })), [
    'it has sums of flights, the lake single flights',
  ]);
});

test('a source with more detail is accepted', (t) => {
  const current = { days: 0, isSingle: false };
  const parts = { timed: { current: 0, staged: 1 }, arrivals: { current: 0, staged: 1 } };
  t.deepEqual(describeLosses(aComparison(current, {}, parts)), []);
});
