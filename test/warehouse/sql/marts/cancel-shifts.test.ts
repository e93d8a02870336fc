import test from 'ava';
import { aRouteHour, buildWarehouseUpTo } from '../../../helpers/warehouse.ts';

const built = buildWarehouseUpTo('marts/route_carrier_otp');

/** 100 of 10,000 flights from JFK to LAX in July 2018 were cancelled. */
const RECORD = [aRouteHour({ flight_count: 10_000, cancelled_count: 100 })];

const RATE =
  'select cancelled_count, round(cancelled_rate, 3) as rate from marts.route_carrier_otp';

/**
 * Delay-cause rows of the airline at both airports in a month: a million flights arrived, and this many more were
 * cancelled.
 */
function atBothEnds(
  month: string,
  cancelled: number,
): [string, string, string, number, number, number][] {
  return ['JFK', 'LAX'].map((airport) => [month, 'DL', airport, 1_000_000, 0, cancelled]);
}

test('cancellations of an old record move by half of the change since then, in odds', async (t) => {
  const formerRows = atBothEnds('2018-07-01', 10_000);
  const currentRows = atBothEnds('2024-07-01', 40_000);
  const db = await built(t, { routeHours: RECORD, delayCauses: [...formerRows, ...currentRows] });
  t.deepEqual(await db.rows(RATE), [{ cancelled_count: 100, rate: 0.02 }]);
});

test('cancellations do not move without the table, or for months missing from the table', async (t) => {
  const withoutTable = await built(t, { routeHours: RECORD });
  t.deepEqual(await withoutTable.rows(RATE), [{ cancelled_count: 100, rate: 0.01 }]);
  const later = atBothEnds('2024-07-01', 40_000);
  const db = await built(t, { routeHours: RECORD, delayCauses: later });
  t.deepEqual(await db.rows(RATE), [{ cancelled_count: 100, rate: 0.01 }]);
});
