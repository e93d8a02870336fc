import test from 'ava';
import type { ExecutionContext } from 'ava';
import { buildModel } from '../../../../warehouse/build/build.ts';
import { listModelsFor } from '../../../../warehouse/build/models.ts';
import { BRAND_FLIGHTS_FILE } from '../../../../warehouse/reference/load.ts';
import { aRouteHour, createWarehouse, type RouteHour } from '../../../helpers/warehouse.ts';

const ON_ROUTE = { origin: 'LGA', dest: 'DCA' };

/** Builds the marts of brands from the route hours, with the bundled flights by brand as evidence. */
async function buildBrands(t: ExecutionContext, rows: Partial<RouteHour>[]) {
  const db = await createWarehouse(t, {
    routeHours: rows.map((row) => aRouteHour({ ...ON_ROUTE, month: '2019-07-01', ...row })),
  });
  await db.run('insert into reference.brand_flights by name from read_parquet($file)', {
    file: BRAND_FLIGHTS_FILE,
  });
  for (const model of listModelsFor('marts/brand_operators')) await buildModel(db, model);
  await buildModel(db, 'marts/brand_operator_hours');
  const operators = await db.rows<Record<string, unknown>>(
    `select brand, carrier, flight_count, delayed_count, share, inferred_share
     from marts.brand_operators order by brand, carrier`,
  );
  return { db, operators };
}

test('a brand has the flights of all operators on its tickets, counted as in the source', async (t) => {
  const { db } = await buildBrands(t, [
    { carrier: 'AA', brand: 'AA', flight_count: 5 },
    { carrier: 'YX', brand: 'AA', flight_count: 7, delayed_count: 2 },
    { carrier: 'YX', brand: 'AA', flight_count: 8, crs_dep_hour: 17 },
    { carrier: 'YX', brand: 'DL', flight_count: 3 },
    { carrier: 'WN', brand: 'WN', flight_count: 9 },
  ]);
  const rates = ['AA', 'YX'].map((carrier) =>
    db.rows(
      'select delayed_rate, cancelled_rate from marts.route_carrier_otp where carrier = $carrier',
      { carrier },
    ),
  );
  const [[own], [republic]] = (await Promise.all(rates)) as [
    [Record<string, number>],
    [Record<string, number>],
  ];
  const months = { first_month: '2019-07-01', last_month: '2019-07-01' };
  const none = {
    ...{ cancelled_count: 0, inferred_share: 0, confidence: null },
    ...{ ...months, ...ON_ROUTE },
  };
  t.deepEqual(await db.rows('select * from marts.brand_operators'), [
    {
      ...{ ...none, ...own, brand: 'AA', carrier: 'AA', share: 0.25 },
      ...{ flight_count: 5, completed_count: 5, delayed_count: 0, delayed_min_sum: 0 },
    },
    {
      ...{ ...none, ...republic, brand: 'AA', carrier: 'YX', share: 0.75 },
      ...{ flight_count: 15, completed_count: 15, delayed_count: 2, delayed_min_sum: 80 },
    },
    {
      ...{ ...none, ...republic, brand: 'DL', carrier: 'YX', share: 1 },
      ...{ flight_count: 3, completed_count: 3, delayed_count: 0, delayed_min_sum: 0 },
    },
  ]);
  const hour = { ...ON_ROUTE, brand: 'AA', carrier: 'YX' };
  t.deepEqual(await db.rows('select * from marts.brand_operator_hours'), [
    { ...hour, carrier: 'AA', local_hour: 8, weighted_flight_count: 5 },
    { ...hour, local_hour: 8, weighted_flight_count: 7 },
    { ...hour, local_hour: 17, weighted_flight_count: 8 },
    { ...hour, brand: 'DL', local_hour: 8, weighted_flight_count: 3 },
  ]);
  const [route] = await db.rows('select flight_count from marts.route_otp');
  t.deepEqual(route, { flight_count: 32 });
});

test('if a month names only operators, its brands are those of flights of the operator in other months', async (t) => {
  const { db, operators } = await buildBrands(t, [
    { carrier: 'YX', flight_count: 1000 },
    { carrier: 'AA', flight_count: 20 },
  ]);
  const rounded = await db.rows(
    'select * replace (round(share, 1) as share, round(confidence, 1) as confidence) from marts.brand_shares',
  );
  const share = { ...ON_ROUTE, carrier: 'YX', year: 2019, share: 0.5, confidence: 0.5 };
  t.deepEqual(rounded, [
    { ...share, brand: 'AA' },
    { ...share, brand: 'DL' },
  ]);
  t.like(operators[0], { brand: 'AA', carrier: 'AA', flight_count: 20, inferred_share: 0 });
  const republic = operators.filter(({ carrier }) => carrier === 'YX');
  t.is(
    republic.reduce((sum, { flight_count }) => sum + Number(flight_count), 0),
    1000,
  );
  t.true(republic.every(({ inferred_share }) => inferred_share === 1));
});

test('an operator without flights of a known brand stands for itself', async (t) => {
  const { operators } = await buildBrands(t, [
    { carrier: 'YX', ...{ origin: 'LHR', dest: 'JFK' } },
    { carrier: 'ZZ', flight_count: 4 },
    { carrier: 'DL', flight_count: 4 },
  ]);
  t.deepEqual(operators, []);
});
