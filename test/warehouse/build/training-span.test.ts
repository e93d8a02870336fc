import test from 'ava';
import { trainingSpan } from '../../../warehouse/build/training-span.ts';

const months = (flights: number, ...names: string[]) =>
  names.map((name) => ({ month: `${name}-01`, flights }));

/** All months of a year. */
const yearOf = (year: number, flights: number) =>
  months(
    flights,
    ...Array.from({ length: 12 }, (_, m) => `${year}-${String(m + 1).padStart(2, '0')}`),
  );

test('of years of the same airports the newest twelve months are learned from, and their quarters', (t) => {
  t.deepEqual(trainingSpan([...yearOf(2017, 500), ...yearOf(2018, 500)]), {
    from: '2018-01-01',
    quarters: ['2018-10-01', '2018-07-01', '2018-04-01', '2018-01-01'],
  });
});

test('a short history is learned from whole, but for the quarter nothing is known before', (t) => {
  t.deepEqual(trainingSpan(months(1000, '2018-03', '2018-04', '2018-06', '2018-08', '2018-10')), {
    from: '2018-03-01',
    quarters: ['2018-08-01', '2018-05-01'],
  });
  t.deepEqual(trainingSpan([]), { from: '9999-01-01', quarters: [] });
});

test('behind newest months of a part of the country come older ones, gaps left out', (t) => {
  const { from, quarters } = trainingSpan([
    ...yearOf(2018, 600),
    ...months(100, '2024-10', '2024-11', '2024-12'),
  ]);
  // Three quarters of 7,200 are 300 of the newest and nine months of 600; two fifths, 300 and five months.
  t.is(from, '2018-04-01');
  t.deepEqual(quarters, ['2024-10-01', '2018-10-01', '2018-07-01']);
});

test('a few flights of long ago are not learned from', (t) => {
  t.is(trainingSpan([...months(100, '2015-01'), ...yearOf(2018, 500)]).from, '2018-01-01');
});
