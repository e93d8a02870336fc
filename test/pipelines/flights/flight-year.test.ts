import test from 'ava';
import { isPlausibleYear, yearInName } from '../../../pipelines/flights/flight-year.ts';

test('a year in a file name is used only if it is the only one', (t) => {
  t.is(yearInName('us_2018_16carriers.parquet'), 2018);
  t.is(yearInName('2018-07_2018-12.csv'), 2018);
  t.is(yearInName('flights_2017_2018.csv'), undefined);
  t.is(yearInName('flights.csv'), undefined);
  t.is(yearInName('flights_1903.csv'), undefined);
  t.is(yearInName('build_120180.csv'), undefined);
});

test('flight records start in 1987', (t) => {
  t.false(isPlausibleYear(1986));
  t.true(isPlausibleYear(1987));
  t.true(isPlausibleYear(2100));
  t.false(isPlausibleYear(2101));
  t.false(isPlausibleYear(2018.5));
});
