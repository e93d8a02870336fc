import test from 'ava';
import { detectForm } from '../../../pipelines/flights/detect-form.ts';

test('a form is detected by its required columns, in any letter case and order', (t) => {
  const header = ['dest', 'ORIGIN', 'Op_Carrier', 'FL_MONTH', 'crs_dep_time', 'ARR_DELAY'];

  t.is(detectForm([...header, 'CANCELLED']).form?.name, 'by_month_carriers');
});

test('a download with arrival delays uses arrival delays; any other download uses departure delays', (t) => {
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

test('an unknown header returns the nearest form and the missing columns', (t) => {
  const detection = detectForm(['year', 'month', 'day', 'dep_time', 'carrier', 'origin', 'dest']);

  t.is(detection.form, undefined);
  t.is(detection.nearest?.name, 'nycflights');
  t.deepEqual(detection.missing, ['sched_dep_time', 'arr_delay']);
});
