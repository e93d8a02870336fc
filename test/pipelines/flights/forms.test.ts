import test from 'ava';
import { detectForm, isPlausibleYear, yearInName } from '../../../pipelines/flights/forms.ts';

test('a form is found by its required columns, in any case and order', (t) => {
  const header = ['dest', 'ORIGIN', 'Op_Carrier', 'FL_MONTH', 'crs_dep_time', 'ARR_DELAY'];

  t.is(detectForm([...header, 'CANCELLED']).form?.name, 'by_month_carriers');
});

test('a download with arrival delays is told by them, one without by its departure delays', (t) => {
  const header = ['FL_DATE', 'OP_CARRIER', 'ORIGIN', 'DEST', 'CRS_DEP_TIME', 'CANCELLED'];

  t.like(detectForm([...header, 'ARR_DELAY', 'DEP_DELAY']).form, {
    name: 'bts_short',
    delayBasis: 'arrival',
  });
  t.like(detectForm([...header, 'DEP_DELAY_NEW']).form, {
    name: 'bts_short_departures',
    delayBasis: 'departure',
  });
});

test('an unknown header gives the nearest form and the columns it lacks', (t) => {
  const detection = detectForm(['year', 'month', 'day', 'dep_time', 'carrier', 'origin', 'dest']);

  t.is(detection.form, undefined);
  t.is(detection.nearest?.name, 'nycflights');
  t.deepEqual(detection.missing, ['sched_dep_time', 'arr_delay']);
});

test('a year in a file name counts only when it is the only one', (t) => {
  t.is(yearInName('us_2018_16carriers.parquet'), 2018);
  t.is(yearInName('2018-07_2018-12.csv'), 2018);
  t.is(yearInName('flights_2017_2018.csv'), undefined);
  t.is(yearInName('flights.csv'), undefined);
  t.is(yearInName('flights_1903.csv'), undefined);
  t.is(yearInName('build_120180.csv'), undefined);
});

test('flight records begin in 1987', (t) => {
  t.false(isPlausibleYear(1986));
  t.true(isPlausibleYear(1987));
  t.true(isPlausibleYear(2100));
  t.false(isPlausibleYear(2101));
  t.false(isPlausibleYear(2018.5));
});
