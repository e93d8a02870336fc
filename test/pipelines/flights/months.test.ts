import test from 'ava';
import {
  btsFileName,
  isMonth,
  monthsBetween,
  containsMonth,
} from '../../../pipelines/flights/months.ts';

test('a month has four digits, a dash and a number from 01 to 12', (t) => {
  t.true(isMonth('2025-03'));
  t.true(isMonth('1987-10'));
  t.false(isMonth('2025-3'));
  t.false(isMonth('2025-13'));
  t.false(isMonth('2025-00'));
  t.false(isMonth('2025'));
  t.false(isMonth('2025-03-01'));
});

test('records start in October 1987', (t) => {
  t.false(isMonth('1987-09'));
});

test('a span includes both ends and may cross the end of a year', (t) => {
  t.deepEqual(monthsBetween('2024-11', '2025-02'), ['2024-11', '2024-12', '2025-01', '2025-02']);
  t.deepEqual(monthsBetween('2025-03', '2025-03'), ['2025-03']);
  t.deepEqual(monthsBetween('2025-03', '2025-02'), []);
});

test('BTS writes the month of a file without a leading zero', (t) => {
  t.is(
    btsFileName('2025-03'),
    'On_Time_Marketing_Carrier_On_Time_Performance_Beginning_January_2018_2025_3.zip',
  );
  t.regex(btsFileName('2025-12'), /_2025_12\.zip$/);
});

test('the reporting-carrier table has the months before 2018 and is used on request', (t) => {
  const name = (of: string) =>
    `On_Time_Reporting_Carrier_On_Time_Performance_1987_present_${of}.zip`;
  t.is(btsFileName('2025-03', 'reporting'), name('2025_3'));
  t.is(btsFileName('2017-12'), name('2017_12'));
  t.regex(btsFileName('2018-01'), /^On_Time_Marketing_/);
});

test('a file name contains a month as 2025-03, 2025_03 or 2025_3', (t) => {
  t.true(containsMonth('flights-2025-03.csv', '2025-03'));
  t.true(containsMonth('2025_03.parquet', '2025-03'));
  t.true(containsMonth('T_ONTIME_2025_3.zip', '2025-03'));
});

test('a month with an adjacent digit in a file name does not match', (t) => {
  t.false(containsMonth('T_ONTIME_2025_12.zip', '2025-01'));
  t.false(containsMonth('T_ONTIME_2025_1.zip', '2025-12'));
  t.false(containsMonth('12025-03.csv', '2025-03'));
  t.false(containsMonth('2025-3.csv', '2025-03'));
  t.false(containsMonth('202503.csv', '2025-03'));
});
