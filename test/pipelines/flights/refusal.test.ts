import test from 'ava';
import type { StagedMonth } from '../../../warehouse/extract/staged-month.ts';
import { describeLosses } from '../../../pipelines/flights/losses.ts';
import { monthRefusal } from '../../../pipelines/flights/refusal.ts';
import { aComparison } from './helpers/comparison.ts';

function aMonth(flights: number, rejects: Record<string, number> = {}): StagedMonth {
  const rejected = Object.values(rejects).reduce((all, one) => all + one, 0);
  return { month: '2025-03', rowsRead: flights + rejected, flights, rejects };
}

const comparisonWith = (flights: number) => aComparison({}, { flights });

test('a month that the lake lacks is written, however few flights it has', (t) => {
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

test('an airline with 1,000 flights may never be missing, even if its share is small; a smaller airline may', (t) => {
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

test('a source without days, hours, arrival delays, brands or single flights is poorer', (t) => {
  t.deepEqual(describeLosses(aComparison({}, { days: 0 })), ['it has no dates, but the lake does']);
  t.deepEqual(describeLosses(aComparison({}, {}, { departureHours: { current: 1, staged: 0 } })), [
    'fewer of its flights have a departure hour',
  ]);
  t.deepEqual(describeLosses(aComparison({}, {}, { arrivals: { current: 1, staged: 0 } })), [
    'fewer of its flights have an arrival delay',
  ]);
  t.deepEqual(describeLosses(aComparison({}, {}, { brands: { current: 1, staged: 0 } })), [
    'fewer of its flights have the airline on the ticket',
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

const NO_LOSSES = { byDay: true, flights: 0, gained: 0, groups: [], halved: 0 };

test('groups may lose 1 % of the flights in the lake, or ten flights of a small month, but not more', (t) => {
  const many = { flights: 20_000 };
  const groups = [{ airline: 'AS', airport: 'SEA', before: 9_000, after: 8_800, lost: 200 }];
  const lossesOf = (flights: number) => ({ losses: { ...NO_LOSSES, flights, groups } });
  t.deepEqual(describeLosses(aComparison(many, many, lossesOf(200))), []);
  t.deepEqual(describeLosses(aComparison(many, many, lossesOf(201))), [
    "counted by airline, airport and day, 201 of the lake's 20000 flights (1.0 %) are missing, mainly AS at SEA 9000 → 8800",
  ]);
  const few = { flights: 100 };
  t.deepEqual(describeLosses(aComparison(few, few, lossesOf(10))), []);
  t.is(describeLosses(aComparison(few, few, lossesOf(11))).length, 1);
});

test('a large group may never lose more than half of its flights, even if its share is small', (t) => {
  const many = { flights: 600_000 };
  const groups = [{ airline: 'HA', airport: 'HNL', before: 400, after: 0, lost: 400 }];
  const losses = { ...NO_LOSSES, byDay: false, flights: 400, groups, halved: 1 };
  t.deepEqual(describeLosses(aComparison(many, many, { losses })), [
    "counted by airline and airport, 400 of the lake's 600000 flights (0.1 %) are missing, mainly HA at HNL 400 → 0",
  ]);
});

test('TOGETHER=1 is proposed if each version has flights that the other lacks', (t) => {
  const losses = { ...NO_LOSSES, flights: 500, gained: 500 };
  const refusal = monthRefusal(aMonth(1_000), {
    comparison: aComparison({}, {}, { losses }),
    force: false,
  });
  t.regex(refusal?.why ?? '', /; to keep the flights of both files, load them in one command with/);
  const gainless = aComparison({}, {}, { losses: { ...losses, gained: 10 } });
  const other = monthRefusal(aMonth(1_000), { comparison: gainless, force: false });
  t.notRegex(other?.why ?? '', /TOGETHER/);
  const dayless = aComparison({}, {}, { losses: { ...losses, byDay: false } });
  const third = monthRefusal(aMonth(1_000), { comparison: dayless, force: false });
  t.regex(third?.why ?? '', /are missing/);
  t.notRegex(third?.why ?? '', /TOGETHER/);
});

test("1 % of the flights, or nine flights, may be beyond BTS's table, but not more", (t) => {
  const pairs = [{ airline: 'AA', airport: 'DFW', flights: 900, table: 700 }];
  const refusalOf = (beyond: number, compared: number, year?: number) =>
    monthRefusal(
      { ...aMonth(compared), conflict: { compared, beyond, unknown: 0, pairs } },
      { comparison: undefined, force: false, requestedYear: year },
    )?.why;
  t.is(refusalOf(100, 10_000), undefined);
  t.is(refusalOf(9, 20), undefined);
  t.is(
    refusalOf(101, 10_000),
    "101 of its 10000 flights (1.0 %) are not in BTS's table of the month (AA to DFW 900, table 700): its dates are wrong, or flights are repeated or invented; FORCE=1 loads it anyway",
  );
  t.regex(refusalOf(101, 10_000, 2020) ?? '', /: is YEAR=2020 right\?; FORCE=1 loads it anyway$/);
});

test('rows that repeat flights do not count as bad rows', (t) => {
  const month = aMonth(1_000, { duplicate_flight: 1_000 });
  t.is(monthRefusal(month, { comparison: undefined, force: false }), undefined);
  const worse = aMonth(98, { duplicate_flight: 1_000, invalid_dest: 2 });
  t.is(
    monthRefusal(worse, { comparison: undefined, force: false })?.why,
    '2 of 1100 rows are rejected (invalid_dest 2)',
  );
});

test('a month without a row to load is refused, so that no empty month replaces a month', (t) => {
  const none = aMonth(0, { not_passenger: 20, total: 10 });
  t.deepEqual(monthRefusal(none, { comparison: undefined, force: true }), {
    why: 'none of its 30 rows has a flight to load (not_passenger 20, total 10)',
    hasBadRows: true,
  });
  const one = aMonth(1, { not_passenger: 20, total: 10 });
  t.is(monthRefusal(one, { comparison: undefined, force: false }), undefined);
});
