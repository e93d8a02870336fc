import test, { type ExecutionContext } from 'ava';
import { aRouteHour, buildWarehouseUpTo, type RouteHour } from '../../../helpers/warehouse.ts';

const builtMonths = buildWarehouseUpTo('intermediate/int_training_months');

const months = (flights: number, ...names: string[]) =>
  names.map((name) => aRouteHour({ month: `${name}-01`, flight_count: flights }));

/** Flights in every month of a year. */
const yearOf = (year: number, flights: number) =>
  months(
    flights,
    ...Array.from({ length: 12 }, (_, m) => `${year}-${String(m + 1).padStart(2, '0')}`),
  );

type Learned = { month: string; delay_basis: string; quarter: string; is_forecast: boolean };

/** Returns the first training month, its delay basis, and the forecast quarters, newest first. */
async function trainingMonths(t: ExecutionContext, routeHours: RouteHour[]) {
  const db = await builtMonths(t, { routeHours });
  const rows = await db.rows<Learned>('select * from intermediate.int_training_months');
  const quarters = rows.filter((row) => row.is_forecast).map(({ quarter }) => quarter);
  return {
    from: rows[0]?.month,
    basis: rows[0]?.delay_basis,
    quarters: [...new Set(quarters)].toReversed(),
  };
}

test('if all years have the same airports, training uses the newest twelve months and forecasts their quarters', async (t) => {
  t.deepEqual(await trainingMonths(t, [...yearOf(2017, 500), ...yearOf(2018, 500)]), {
    from: '2018-01-01',
    basis: 'arrival',
    quarters: ['2018-10-01', '2018-07-01', '2018-04-01', '2018-01-01'],
  });
});

test('training uses all of a short history, and forecasts all quarters but the first', async (t) => {
  const short = months(1000, '2018-03', '2018-04', '2018-06', '2018-08', '2018-10');
  t.deepEqual(await trainingMonths(t, short), {
    from: '2018-03-01',
    basis: 'arrival',
    quarters: ['2018-08-01', '2018-05-01'],
  });
  t.deepEqual(await trainingMonths(t, []), { from: undefined, basis: undefined, quarters: [] });
});

test('if the newest months cover part of the country, older months are added, across any gap', async (t) => {
  const { from, quarters } = await trainingMonths(t, [
    ...yearOf(2018, 600),
    ...months(100, '2024-10', '2024-11', '2024-12'),
  ]);
  // The best twelve months have 7,200 flights, the newest three 300. Nine months of 600 flights complete three quarters
  // of 7,200; five months complete two fifths.
  t.is(from, '2018-04-01');
  t.deepEqual(quarters, ['2024-10-01', '2018-10-01', '2018-07-01']);
});

test('a few old flights are not used for training', async (t) => {
  const { from } = await trainingMonths(t, [...months(100, '2015-01'), ...yearOf(2018, 500)]);
  t.is(from, '2018-01-01');
});

test('training uses the delay basis of most flights, even if the other basis is newer', async (t) => {
  const departures = months(300, '2019-01', '2019-02').map((row): RouteHour => ({
    ...row,
    delay_basis: 'departure',
  }));
  const { from, basis } = await trainingMonths(t, [...yearOf(2018, 500), ...departures]);
  t.is(from, '2018-01-01');
  t.is(basis, 'arrival');
});
