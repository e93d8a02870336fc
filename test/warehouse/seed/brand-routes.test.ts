import test from 'ava';
import { dataTier } from '../../../models/history.ts';
import { soldAirlines } from '../../../models/sold-airlines.ts';
import { buildModel } from '../../../warehouse/build/build.ts';
import { listModelsFor } from '../../../warehouse/build/models.ts';
import { BRAND_FLIGHTS_FILE } from '../../../warehouse/reference/load.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { Row } from '../../../warehouse/store/arrow.ts';
import { STORE_TABLES } from '../../../warehouse/store/tables.ts';
import { storeFilesOf } from '../../helpers/store-files.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

const ROUTE_HOURS = new URL('../../../warehouse/seed/route_hours.parquet', import.meta.url)
  .pathname;

/** Counts the flights that a brand sells on each route. An operator's flights count with the brand's share. */
const SOLD = `
  with flights as (
    select origin, dest, carrier, year(month) as year, sum(flight_count) as flight_count
    from raw.route_hours group by all
  )
  select origin, dest, coalesce(shares.brand, flights.carrier) as brand,
    sum(flight_count * coalesce(share, 1))::double as flight_count,
    count(distinct flights.carrier)::integer as operators
  from flights left join marts.brand_shares as shares using (origin, dest, carrier, year)
  where coalesce(shares.brand, flights.carrier) in ('AA', 'DL', 'UA')
  group by all
  having flight_count >= 1`;

type Sold = {
  origin: string;
  dest: string;
  brand: string;
  flight_count: number;
  operators: number;
};

test('on the bundled history, every route of American, Delta and United answers with the flights that they sell', async (t) => {
  const db = await createWarehouse(t);
  await db.run(
    `insert into raw.route_hours by name from read_parquet($file);
     insert into raw.lake_months by name
     select distinct month, 'seed' as source_name, '' as source_sha256, 'seed' as source_form, 1 as rows_read,
       1 as rows_loaded, 0 as rows_rejected, '' as code_version, now() as extracted_at, now() as loaded_at
     from raw.route_hours;
     insert into reference.brand_flights by name from read_parquet($brands)`,
    { file: ROUTE_HOURS, brands: BRAND_FLIGHTS_FILE },
  );
  const models = ['marts/brand_operators', 'marts/brand_operator_hours', 'marts/route_records'];
  for (const model of new Set(models.flatMap((last) => listModelsFor(last)))) {
    await buildModel(db, model);
  }
  const tables = ['brand_operators', 'route_carriers', 'routes'] as const;
  const rows = await Promise.all(tables.map((name) => db.rows<Row>(STORE_TABLES[name].query)));
  const store = openStore(
    storeFilesOf(Object.fromEntries(tables.map((name, at) => [name, rows[at] ?? []]))),
  );
  const sold = await db.rows<Sold>(SOLD);
  t.true(sold.length > 4000);
  const wrong = sold.filter(({ origin, dest, brand: carrier, flight_count, operators }) => {
    const isBrand = store.brand(origin, dest, carrier) ? { isBrand: true as const } : {};
    const own = soldAirlines(origin, dest, store).find((one) => one.carrier === carrier);
    const difference = Math.abs((own?.flightCount ?? 0) - flight_count);
    const isExact = dataTier({ origin, dest, carrier, ...isBrand }, store) === 'exact';
    // The flights of each operator are rounded.
    return !isExact || difference > operators / 2 + 1e-6;
  });
  t.deepEqual(wrong, []);
});
