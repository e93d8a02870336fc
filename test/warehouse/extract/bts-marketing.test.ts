import path from 'node:path';
import test from 'ava';
import { compareVersion } from '../../../warehouse/extract/replacement.ts';
import { describeLosses } from '../../../pipelines/flights/losses.ts';
import { listVersions } from '../../../warehouse/lake/versions.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import {
  aMarketedFlight,
  aReportedFlight,
  btsCsv,
  marketingCsv,
  MARKETING_COLUMNS,
} from '../../helpers/bts-files.ts';
import { aFile, extractToLake, lakeRows } from '../../helpers/flight-files.ts';

const REAL = path.join(import.meta.dirname, '../../../../shared/data/marketing');
const WHO = 'brand, brand_flight_number, carrier, flight_number, origin, dest';
const REPUBLIC = {
  IATA_Code_Marketing_Airline: 'AA',
  Flight_Number_Marketing_Airline: '4567',
  IATA_Code_Operating_Airline: 'YX',
  Flight_Number_Operating_Airline: '4567',
};

test('a flight of the 119 columns has its brand, its operator and both numbers', async (t) => {
  const rows = [
    aMarketedFlight(),
    aMarketedFlight({ ...REPUBLIC, Duplicate: 'Y' }),
    aMarketedFlight({ ...REPUBLIC, Flight_Number_Operating_Airline: '', Origin: 'LGA' }),
  ];
  const { lakeDir, report } = await extractToLake(t, await aFile(t, marketingCsv(rows)));

  t.is(MARKETING_COLUMNS.length, 119);
  t.is(report.source.form, 'bts_marketing');
  const delta = { brand: 'DL', brand_flight_number: '423', carrier: 'DL', flight_number: '423' };
  const american = {
    brand: 'AA',
    brand_flight_number: '4567',
    carrier: 'YX',
    flight_number: '4567',
  };
  t.deepEqual(await lakeRows(lakeDir, '2025-03', 'flights', WHO), [
    { ...delta, origin: 'JFK', dest: 'LAX' },
    { ...american, origin: 'JFK', dest: 'LAX' },
    { ...american, origin: 'LGA', dest: 'LAX' },
  ]);
  const hours = 'carrier, brand, origin, flight_count';
  t.deepEqual(await lakeRows(lakeDir, '2025-03', 'routeHours', hours), [
    { carrier: 'DL', brand: 'DL', origin: 'JFK', flight_count: 1 },
    { carrier: 'YX', brand: 'AA', origin: 'JFK', flight_count: 1 },
    { carrier: 'YX', brand: 'AA', origin: 'LGA', flight_count: 1 },
  ]);
});

test('a second row of a flight is rejected, and so is a row whose brand is not a code', async (t) => {
  const rows = [
    ...Array.from({ length: 300 }, (_, number) =>
      aMarketedFlight({ ...REPUBLIC, Flight_Number_Operating_Airline: String(5000 + number) }),
    ),
    aMarketedFlight({ ...REPUBLIC, Flight_Number_Operating_Airline: '5000' }),
    aMarketedFlight({ IATA_Code_Marketing_Airline: 'Delta' }),
  ];
  const { report } = await extractToLake(t, await aFile(t, marketingCsv(rows)));

  t.deepEqual(report.months[0]?.rejects, { duplicate_flight: 1, invalid_brand: 1 });
  t.is(report.rowsLoaded, 300);
});

test('the rows that BTS hands out today are read', async (t) => {
  const file = path.join(REAL, 'bts_marketing_2026-04_20rows.csv');
  const { lakeDir, report } = await extractToLake(t, file);

  t.like(report, { rowsRead: 20, rowsLoaded: 20, rowsRejected: 0 });
  t.is(report.source.form, 'bts_marketing');
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const raw = await db.rows<Record<string, unknown>>(
    `select trim("IATA_Code_Marketing_Airline") as brand, trim("IATA_Code_Operating_Airline") as carrier,
       count(*) as flights
     from read_csv($file, all_varchar = true, null_padding = true) group by all order by all`,
    { file },
  );
  const flights = await lakeRows(lakeDir, '2026-04', 'flights', 'brand, carrier');
  const count = ({ brand, carrier }: Record<string, unknown>) =>
    flights.filter((flight) => flight['brand'] === brand && flight['carrier'] === carrier).length;
  t.true(raw.length > 5);
  for (const row of raw) t.is(count(row), Number(row['flights']), JSON.stringify(row));
});

test('the sample of 2018 and 2019 has the counts of its raw file by brand and operator', async (t) => {
  const file = path.join(REAL, 'bts_mkt_2018_2019_sample.parquet');
  const { lakeDir, report } = await extractToLake(t, file);
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());

  const raw = await db.rows(
    `with flights as (
       select distinct fl_date, mkt_carrier, op_unique_carrier, op_carrier_fl_num, origin, dest, crs_dep_time, arr_delay,
         cancelled, diverted
       from read_parquet($file)
     )
     select mkt_carrier as brand, op_unique_carrier as carrier, count(*)::bigint as flights,
       count(*) filter (where cancelled = 0 and diverted = 0 and arr_delay > 30)::bigint as late
     from flights group by all order by all`,
    { file },
  );
  const loaded = await db.rows(
    `select brand, carrier, sum(flight_count)::bigint as flights, sum(delayed_count)::bigint as late
     from read_parquet($files, hive_partitioning = false) group by all order by all`,
    { files: path.join(lakeDir, 'flights', '*', '*', '*.route_hours.parquet') },
  );

  t.is(report.months.length, 24);
  t.true(raw.length > 30);
  t.deepEqual(loaded, raw);
});

test('a month of the reporting table gives way to the marketing table, and not the reverse', async (t) => {
  const days = Array.from({ length: 31 }, (_, n) => String(n + 1).padStart(2, '0'));
  const dated = (flight: Record<string, string>) =>
    days.map((day) => ({ ...flight, FlightDate: `2025-03-${day}` }));
  const reporting = await aFile(t, btsCsv(dated(aReportedFlight())), 'reporting.csv');
  const marketing = await aFile(
    t,
    marketingCsv([...dated(aMarketedFlight()), ...dated(aMarketedFlight(REPUBLIC))]),
    'marketing.csv',
  );
  const { lakeDir } = await extractToLake(t, reporting);

  const replaced = await extractToLake(t, marketing, { lakeDir });
  t.like(replaced.report.months[0], { outcome: 'written' });
  t.is(replaced.report.months[0]?.losses, undefined);

  const back = await extractToLake(t, reporting, { lakeDir });
  t.is(back.report.months[0]?.outcome, 'refused');
  t.regex(back.report.months[0]?.why ?? '', /fewer of its flights have the airline on the ticket/);

  const ref = { month: '2025-03', tree: 'flights' } as const;
  const [former] = await listVersions(lakeDir, ref, undefined);
  const comparison = former && (await compareVersion(lakeDir, ref, former));
  t.true(
    comparison &&
      describeLosses(comparison).includes('fewer of its flights have the airline on the ticket'),
  );
});
