import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { buildModels } from '../../../warehouse/build/build.ts';
import { loadMonth } from '../../../warehouse/build/load.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { readManifests } from '../../../warehouse/lake/lake.ts';
import { loadReference } from '../../../warehouse/reference/load.ts';
import { exportStore } from '../../../warehouse/store/export.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';
import { anApi, NOW, SOME_KEY } from '../../api/helpers/app.ts';
import { aParquet, extractToLake } from '../../helpers/flight-files.ts';
import { oncePerRun } from '../../helpers/once-per-run.ts';

const REAL = path.join(import.meta.dirname, '../../../../shared/data/marketing');
const SAMPLE = path.join(REAL, 'bts_mkt_2018_2019_sample.parquet');
const JANUARY = path.join(REAL, 'bts_mkt_2020_01_full_no_times.parquet');

/**
 * The flights of January 2020 in BTS's short form. The source has no times and no outcomes, so every flight has a time
 * that follows from its number, and is on time.
 */
const JANUARY_FLIGHTS = `
  select fl_date, mkt_carrier, mkt_carrier_fl_num, coalesce(op_inferred, mkt_carrier) as op_unique_carrier,
    mkt_carrier_fl_num as op_carrier_fl_num, origin, dest, 600 + 100 * (mkt_carrier_fl_num % 15) as crs_dep_time,
    0 as arr_delay, 0 as cancelled, 0 as diverted
  from read_parquet('${JANUARY}')`;

/** The store of the marketing sample of 2018 and 2019 and of January 2020, as a publish would write it. */
function realStore(t: ExecutionContext): Promise<StoreFiles> {
  return oncePerRun('store of the marketing sample', async () => {
    const { lakeDir } = await extractToLake(t, SAMPLE);
    await extractToLake(t, await aParquet(t, JANUARY_FLIGHTS), { lakeDir });
    const db = await openDatabase({ threads: 1 });
    try {
      await migrate(db);
      for (const { month } of await readManifests(lakeDir)) await loadMonth(db, lakeDir, month);
      await loadReference(db, NOW);
      await buildModels(db, () => undefined);
      return await exportStore(db, NOW);
    } finally {
      db.close();
    }
  });
}

/** Flights that American sells from LaGuardia to Washington, by operator, counted in both raw files. */
const RAW_COUNTS = `
  with sample as (
    select distinct fl_date, mkt_carrier, op_unique_carrier, op_carrier_fl_num, origin, dest, crs_dep_time, arr_delay,
      cancelled, diverted
    from read_parquet('${SAMPLE}')
  ),
  flights as (
    select mkt_carrier, op_unique_carrier as operator, origin, dest, cancelled = 1 as is_cancelled,
      cancelled = 0 and diverted = 0 as is_completed, arr_delay > 30 as is_late
    from sample
    union all
    select mkt_carrier, op_inferred, origin, dest, false, true, false from read_parquet('${JANUARY}')
  )
  select operator as airline, count(*) as n_flights,
    round(100 * count(*) filter (where is_completed and is_late) / count(*) filter (where is_completed), 2) as delay_rate_pct,
    round(100 * count(*) filter (where is_cancelled) / count(*), 2) as cancel_rate_pct
  from flights
  where mkt_carrier = 'AA' and origin = 'LGA' and dest = 'DCA'
  group by operator order by n_flights desc`;

test.serial(
  'American from LaGuardia to Washington answers with the flights of American and of Republic',
  async (t) => {
    const store = openStore(await realStore(t));
    const db = await openDatabase({ threads: 1 });
    t.teardown(() => db.close());
    const raw = await db.rows<{ n_flights: number }>(RAW_COUNTS);

    const call = anApi({ stores: { current: () => store } });
    const { body } = await call(
      `/api/score?origin=LGA&dest=DCA&airline=AA&date=2026-03-20&include=operators,lineage&api_key=${SOME_KEY}`,
    );
    const fields = ['airline', 'n_flights', 'delay_rate_pct', 'cancel_rate_pct'] as const;
    const operators = (body['operators'] as Record<string, unknown>[]).map((operator) =>
      Object.fromEntries(fields.map((field) => [field, operator[field]])),
    );
    t.deepEqual(operators, raw);
    t.is(raw.length, 2);
    t.like(body, {
      data_source: 'exact',
      stats: { n_flights: raw.reduce((all, { n_flights }) => all + n_flights, 0) },
      operators: [{ source: 'reported' }, { source: 'reported' }],
      lineage: { brand: null },
    });
  },
);

test.serial(
  'a flight number of the newest month answers as its route and time do, except in input',
  async (t) => {
    const store = openStore(await realStore(t));
    const call = anApi({ stores: { current: () => store } });
    const db = await openDatabase({ threads: 1 });
    t.teardown(() => db.close());
    const numbers = await db.rows<{ flight: string }>(
      `select distinct mkt_carrier || mkt_carrier_fl_num as flight from read_parquet('${JANUARY}')
       where hash(mkt_carrier, mkt_carrier_fl_num) % 100 = 0 order by flight`,
    );
    t.true(numbers.length > 200);
    for (const { flight } of numbers) {
      const query = `date=2026-03-20&api_key=${SOME_KEY}`;
      const found = await call(`/api/score?flight=${flight}&${query}`);
      const [leg] = (found.body['legs'] ?? []) as { origin: string; destination: string }[];
      const byNumber = leg
        ? await call(
            `/api/score?flight=${flight}&origin=${leg.origin}&dest=${leg.destination}&${query}`,
          )
        : found;
      t.is(byNumber.status, 200, flight);
      const input = byNumber.body['input'] as Record<string, string>;
      const { origin = '', destination = '', airline = '', dep_time = '' } = input;
      const service = `origin=${origin}&dest=${destination}&airline=${airline}&dep_time=${dep_time}`;
      const byRoute = await call(`/api/score?${service}&${query}`);
      t.is(
        JSON.stringify({ ...byNumber.body, input: undefined }),
        JSON.stringify({ ...byRoute.body, input: undefined }),
        flight,
      );
      t.like(input, { flight_number: flight, schedule_month: '2020-01' });
    }
  },
);
