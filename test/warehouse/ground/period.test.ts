import test from 'ava';
import { datesText, monthsOfPeriod, periodText } from '../../../warehouse/ground/period.ts';

test('a period is a month or a year, with its provider unless the record is American', (t) => {
  t.is(periodText({ month: '2025-03' }), '2025-03');
  t.is(periodText({ month: '2024-01', provider: 'caa' }), 'caa 2024-01');
  t.is(periodText({ month: '2019-12', periodMonths: 12, provider: 'caa' }), 'caa 2019');
  t.is(datesText({ month: '2019-12', periodMonths: 12 }), '2019');
});

test('the counts of a year cover its twelve months', (t) => {
  t.deepEqual(monthsOfPeriod({ month: '2019-12' }), ['2019-12']);
  const months = monthsOfPeriod({ month: '2019-12', periodMonths: 12 });
  t.deepEqual([months.length, months[0], months[11]], [12, '2019-01', '2019-12']);
});
