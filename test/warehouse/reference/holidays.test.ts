import test from 'ava';

import { publicHolidays } from '../../../warehouse/reference/holidays.ts';

const dates = (countryCode: string, year: number) =>
  publicHolidays([countryCode], year, year + 1).map(({ date }) => date);

test('the United States have their federal holidays and Easter, without substitute days', (t) => {
  t.deepEqual(publicHolidays(['US'], 2026, 2027), [
    { countryCode: 'US', date: '2026-01-01', name: "New Year's Day" },
    { countryCode: 'US', date: '2026-01-19', name: 'Martin Luther King Jr. Day' },
    { countryCode: 'US', date: '2026-02-16', name: "Washington's Birthday" },
    { countryCode: 'US', date: '2026-04-05', name: 'Easter Sunday' },
    { countryCode: 'US', date: '2026-05-25', name: 'Memorial Day' },
    { countryCode: 'US', date: '2026-06-19', name: 'Juneteenth' },
    { countryCode: 'US', date: '2026-07-04', name: 'Independence Day' },
    { countryCode: 'US', date: '2026-09-07', name: 'Labor Day' },
    { countryCode: 'US', date: '2026-10-12', name: 'Columbus Day' },
    { countryCode: 'US', date: '2026-11-11', name: 'Veterans Day' },
    { countryCode: 'US', date: '2026-11-26', name: 'Thanksgiving Day' },
    { countryCode: 'US', date: '2026-12-25', name: 'Christmas Day' },
  ]);
});

test('Thanksgiving falls on the fourth Thursday of November', (t) => {
  const thanksgivings = publicHolidays(['US'], 2015, 2020)
    .filter(({ name }) => name === 'Thanksgiving Day')
    .map(({ date }) => date);
  t.deepEqual(thanksgivings, [
    '2015-11-26',
    '2016-11-24',
    '2017-11-23',
    '2018-11-22',
    '2019-11-28',
  ]);
});

test('Germany has its nationwide holidays on their local dates', (t) => {
  t.deepEqual(dates('DE', 2026), [
    '2026-01-01',
    '2026-04-03',
    '2026-04-05',
    '2026-04-06',
    '2026-05-01',
    '2026-05-14',
    '2026-05-25',
    '2026-10-03',
    '2026-12-25',
    '2026-12-26',
  ]);
});

test('the United Kingdom has the bank holidays of England', (t) => {
  t.deepEqual(dates('GB', 2026), [
    '2026-01-01',
    '2026-04-03',
    '2026-04-05',
    '2026-04-06',
    '2026-05-04',
    '2026-05-25',
    '2026-08-31',
    '2026-12-25',
    '2026-12-26',
  ]);
});

test('Japan, east of Greenwich, has its holidays on their local dates', (t) => {
  const japan = dates('JP', 2026);
  t.is(japan.length, 17);
  t.deepEqual(
    ['2026-01-01', '2026-04-29', '2026-05-05', '2026-09-22', '2026-11-23'].filter(
      (date) => !japan.includes(date),
    ),
    [],
  );
});

test('Canada and Australia have the holidays of their most populous regions', (t) => {
  t.true(dates('CA', 2026).includes('2026-10-12'));
  t.true(dates('CA', 2026).includes('2026-05-18'));
  t.true(dates('AU', 2026).includes('2026-06-08'));
});

test('every day of a longer holiday counts, half days do not', (t) => {
  const turkey = publicHolidays(['TR'], 2026, 2027).filter(({ name }) => name.includes('Eid'));
  t.deepEqual(
    turkey.map(({ date }) => date),
    [
      '2026-03-20',
      '2026-03-21',
      '2026-03-22',
      '2026-05-27',
      '2026-05-28',
      '2026-05-29',
      '2026-05-30',
    ],
  );
  t.false(dates('IS', 2026).includes('2026-12-24'));
});

test('years are half-open', (t) => {
  const years = publicHolidays(['US', 'SZ'], 2025, 2027).map(({ date }) => date.slice(0, 4));
  t.deepEqual([...new Set(years)].toSorted(), ['2025', '2026']);
  t.deepEqual(publicHolidays(['US'], 2026, 2026), []);
});

test('a holiday over New Year counts in both years', (t) => {
  t.true(dates('SZ', 2026).includes('2026-12-31'));
  t.true(dates('SZ', 2027).includes('2027-01-02'));
});

test('no country has two rows for one date', (t) => {
  const days = publicHolidays(['MY', 'PR', 'SZ', 'US'], 2024, 2028).map(
    ({ countryCode, date }) => `${countryCode} ${date}`,
  );
  t.is(new Set(days).size, days.length);
});

test('an unknown country has no holidays, and a repeated country counts once', (t) => {
  t.deepEqual(publicHolidays(['QA', 'ZZ', ''], 2026, 2027), []);
  t.is(publicHolidays(['DE', 'DE'], 2026, 2027).length, 10);
});

test('Saipan has the federal holidays', (t) => {
  t.deepEqual(dates('MP', 2026), dates('US', 2026));
});
