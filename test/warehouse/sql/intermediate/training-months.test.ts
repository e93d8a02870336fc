import test, { type ExecutionContext } from 'ava';
import { aRouteHour, builtUpTo, type RouteHour } from '../../../helpers/warehouse.ts';

const builtMonths = builtUpTo('intermediate/int_training_months');

const months = (flights: number, ...names: string[]) =>
  names.map((name) => aRouteHour({ month: `${name}-01`, flight_count: flights }));

/** All months of a year. */
const yearOf = (year: number, flights: number) =>
  months(
    flights,
    ...Array.from({ length: 12 }, (_, m) => `${year}-${String(m + 1).padStart(2, '0')}`),
  );

type Learned = { month: string; delay_basis: string; quarter: string; is_forecast: boolean };

/** First month that is learned from, its basis, and the quarters that are forecast, newest first. */
async function learned(t: ExecutionContext, routeHours: RouteHour[]) {
  const db = await builtMonths(t, { routeHours });
  const rows = await db.rows<Learned>('select * from intermediate.int_training_months');
  const quarters = rows.filter((row) => row.is_forecast).map(({ quarter }) => quarter);
  return {
    from: rows[0]?.month,
    basis: rows[0]?.delay_basis,
    quarters: [...new Set(quarters)].toReversed(),
  };
}

test('of years of the same airports the newest twelve months are learned from, and their quarters', async (t) => {
  t.deepEqual(await learned(t, [...yearOf(2017, 500), ...yearOf(2018, 500)]), {
    from: '2018-01-01',
    basis: 'arrival',
    quarters: ['2018-10-01', '2018-07-01', '2018-04-01', '2018-01-01'],
  });
});

test('a short history is learned from whole, but for the quarter nothing is known before', async (t) => {
  const short = months(1000, '2018-03', '2018-04', '2018-06', '2018-08', '2018-10');
  t.deepEqual(await learned(t, short), {
    from: '2018-03-01',
    basis: 'arrival',
    quarters: ['2018-08-01', '2018-05-01'],
  });
  t.deepEqual(await learned(t, []), { from: undefined, basis: undefined, quarters: [] });
});

test('behind newest months of a part of the country come older ones, gaps left out', async (t) => {
  const { from, quarters } = await learned(t, [
    ...yearOf(2018, 600),
    ...months(100, '2024-10', '2024-11', '2024-12'),
  ]);
  // Three quarters of 7,200 are 300 of the newest and nine months of 600; two fifths, 300 and five months.
  t.is(from, '2018-04-01');
  t.deepEqual(quarters, ['2024-10-01', '2018-10-01', '2018-07-01']);
});

test('a few flights of long ago are not learned from', async (t) => {
  const { from } = await learned(t, [...months(100, '2015-01'), ...yearOf(2018, 500)]);
  t.is(from, '2018-01-01');
});

test('of flights known at arrival and at departure, those that are more are learned from, newer or not', async (t) => {
  const departures = months(300, '2019-01', '2019-02').map((row): RouteHour => ({
    ...row,
    delay_basis: 'departure',
  }));
  const { from, basis } = await learned(t, [...yearOf(2018, 500), ...departures]);
  t.is(from, '2018-01-01');
  t.is(basis, 'arrival');
});
