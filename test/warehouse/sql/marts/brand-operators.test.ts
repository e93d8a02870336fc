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
  const operators = await db.rows<Record<string, unknown>>(
    `select brand, carrier, flight_count, delayed_count, share, inferred_share
     from marts.brand_operators order by brand, carrier`,
  );
  return { db, operators };
}

test('a brand has the flights of all operators on its tickets, counted as in the source', async (t) => {
  const { db, operators } = await buildBrands(t, [
    { carrier: 'AA', brand: 'AA', flight_count: 5 },
    { carrier: 'YX', brand: 'AA', flight_count: 7, delayed_count: 2 },
    { carrier: 'YX', brand: 'AA', flight_count: 8, crs_dep_hour: 17 },
    { carrier: 'YX', brand: 'DL', flight_count: 3 },
    { carrier: 'WN', brand: 'WN', flight_count: 9 },
  ]);
  t.deepEqual(operators, [
    {
      ...{ brand: 'AA', carrier: 'AA', flight_count: 5, delayed_count: 0 },
      ...{ share: 0.25, inferred_share: 0 },
    },
    {
      ...{ brand: 'AA', carrier: 'YX', flight_count: 15, delayed_count: 2 },
      ...{ share: 0.75, inferred_share: 0 },
    },
    {
      ...{ brand: 'DL', carrier: 'YX', flight_count: 3, delayed_count: 0 },
      ...{ share: 1, inferred_share: 0 },
    },
  ]);
  const [route] = await db.rows('select flight_count from marts.route_otp');
  t.deepEqual(route, { flight_count: 32 });
});

test('a month known by operator only has the brands of flights at other times', async (t) => {
  const { db, operators } = await buildBrands(t, [
    { carrier: 'YX', flight_count: 1000 },
    { carrier: 'AA', flight_count: 20 },
  ]);
  const shares = await db.rows<{ brand: string; share: number; confidence: number }>(
    'select brand, share, confidence from marts.brand_shares order by brand',
  );
  t.deepEqual(
    shares.map(({ brand }) => brand),
    ['AA', 'DL'],
  );
  t.is(Math.max(...shares.map(({ confidence }) => Math.round(confidence * 10))), 5);
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
