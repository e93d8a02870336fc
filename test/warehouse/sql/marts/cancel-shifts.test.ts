import test from 'ava';
import { aRouteHour, builtUpTo } from '../../../helpers/warehouse.ts';

const built = builtUpTo('marts/route_carrier_otp');

/** A hundred of 10,000 flights were cancelled, JFK to LAX in July 2018. */
const RECORD = [aRouteHour({ flight_count: 10_000, cancelled_count: 100 })];

const RATE =
  'select cancelled_count, round(cancelled_rate, 3) as rate from marts.route_carrier_otp';

/** The airline at both ends in a month: a million flights arrived, so many more were cancelled. */
function atBothEnds(
  month: string,
  cancelled: number,
): [string, string, string, number, number, number][] {
  return ['JFK', 'LAX'].map((airport) => [month, 'DL', airport, 1_000_000, 0, cancelled]);
}

test('cancellations of an old record count for half of what they have moved since, in odds', async (t) => {
  const then = atBothEnds('2018-07-01', 10_000);
  const now = atBothEnds('2024-07-01', 40_000);
  const db = await built(t, { routeHours: RECORD, delayCauses: [...then, ...now] });
  t.deepEqual(await db.rows(RATE), [{ cancelled_count: 100, rate: 0.02 }]);
});

test('without the table, and for months it does not hold, cancellations are what they were', async (t) => {
  const alone = await built(t, { routeHours: RECORD });
  t.deepEqual(await alone.rows(RATE), [{ cancelled_count: 100, rate: 0.01 }]);
  const later = atBothEnds('2024-07-01', 40_000);
  const db = await built(t, { routeHours: RECORD, delayCauses: later });
  t.deepEqual(await db.rows(RATE), [{ cancelled_count: 100, rate: 0.01 }]);
});
