import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../../../warehouse/connect.ts';
import { lakeFilePath, readManifests } from '../../../warehouse/lake/lake.ts';
import { extracted, REAL_FLIGHTS } from '../../helpers/flight-files.ts';

// The shares are those counted when the files were collected, to two digits.
const TOTALS = `select
    sum(flight_count) as flights,
    round(100 * sum(delayed_count) / sum(completed_count), 2) as "delayedPercent",
    round(100 * sum(cancelled_count) / sum(flight_count), 2) as "cancelledPercent",
    any_value(delay_basis) as basis
  from read_parquet($files::json::varchar[], hive_partitioning = false)`;

/** Extracts a real file and adds up what the lake then holds of it. */
async function totals(t: ExecutionContext, name: string) {
  const { lakeDir, report } = await extracted(t, path.join(REAL_FLIGHTS, name));
  t.is(report.rowsLoaded + report.rowsRejected, report.rowsRead);
  const files = await routeHours(lakeDir);
  const db = await openDatabase();
  t.teardown(() => db.close());
  const [row] = await db.rows<Record<string, unknown>>(TOTALS, { files });
  return { form: report.source.form, months: report.months.length, ...row };
}

async function routeHours(lakeDir: string): Promise<string> {
  const manifests = await readManifests(lakeDir);
  return JSON.stringify(
    manifests.map(({ month, files }) => lakeFilePath(lakeDir, month, files.routeHours)),
  );
}

test.serial('four days of 2015 under DOT names', async (t) => {
  t.deepEqual(await totals(t, 'us_2015-01-01_04.csv.gz'), {
    form: 'kaggle_2015',
    months: 1,
    flights: 55_105,
    delayedPercent: 20.3,
    cancelledPercent: 2.24,
    basis: 'arrival',
  });
});

test.serial('New York 2017 in the form of nycflights', async (t) => {
  t.deepEqual(await totals(t, 'nyc_2017.parquet'), {
    form: 'nycflights',
    months: 12,
    flights: 303_748,
    delayedPercent: 16.56,
    cancelledPercent: 2.57,
    basis: 'arrival',
  });
});

test.serial('the Pacific Northwest in 2023, the same form', async (t) => {
  t.deepEqual(await totals(t, 'pnw_2023_01-10.parquet'), {
    form: 'nycflights',
    months: 10,
    flights: 187_063,
    delayedPercent: 10.08,
    cancelledPercent: 0.74,
    basis: 'arrival',
  });
});

test.serial('December 2019 of two hubs, without DIVERTED', async (t) => {
  t.deepEqual(await totals(t, 'phx_iah_2019_12.csv.gz'), {
    form: 'bts_short',
    months: 1,
    flights: 60_700,
    delayedPercent: 11.42,
    cancelledPercent: 0.47,
    basis: 'arrival',
  });
});

test.serial('three months of 2021 as downloaded, without arrivals', async (t) => {
  const downloads = { form: 'bts_short_departures', months: 1, basis: 'departure' };

  t.deepEqual(await totals(t, 'bts_t_ontime_reporting_2021_02.csv.gz'), {
    ...downloads,
    flights: 2922,
    delayedPercent: 7.96,
    cancelledPercent: 4.18,
  });
  t.deepEqual(await totals(t, 'bts_t_ontime_reporting_2021_03.csv.gz'), {
    ...downloads,
    flights: 3766,
    // Over completed flights; 5.51 when one that left the gate and was then cancelled is counted.
    delayedPercent: 5.52,
    cancelledPercent: 2.28,
  });
  t.deepEqual(await totals(t, 'bts_t_ontime_reporting_2021_04.csv.gz'), {
    ...downloads,
    flights: 3602,
    delayedPercent: 5.33,
    cancelledPercent: 0.44,
  });
});

test.serial('a sample of 2024 in lower case', async (t) => {
  t.deepEqual(await totals(t, 'us_2024_sample_a.csv.gz'), {
    form: 'bts_short',
    months: 12,
    flights: 5000,
    delayedPercent: 13.47,
    cancelledPercent: 1.2,
    basis: 'arrival',
  });
});

test.serial('departures of 2022 without a time, airlines by the names of marketing', async (t) => {
  t.deepEqual(await totals(t, 'us_2022_02_04_depdelay.parquet'), {
    form: 'named_departures',
    months: 2,
    flights: 1_048_575,
    delayedPercent: 13.23,
    cancelledPercent: 3.25,
    basis: 'departure',
  });
});

test.serial('flights between 20 hubs by month and weekday, hours only', async (t) => {
  t.deepEqual(await totals(t, 'us_2024-08_2025-04_20hubs.parquet'), {
    form: 'bts_weekdays',
    months: 9,
    flights: 1_110_759,
    delayedPercent: 12.16,
    cancelledPercent: 1.02,
    basis: 'arrival',
  });
});

test.serial('2018 of 325 airports by month, airlines by name', async (t) => {
  t.deepEqual(await totals(t, 'us_2018_300airports_bymonth.parquet'), {
    form: 'by_month_airports',
    months: 12,
    flights: 2_590_872,
    delayedPercent: 10.74,
    cancelledPercent: 1.69,
    basis: 'arrival',
  });
});

test.serial('2018 of 16 carriers by month, down to one airline on one route', async (t) => {
  const file = path.join(REAL_FLIGHTS, 'us_2018_16carriers_bymonth.parquet');
  const { lakeDir, report } = await extracted(t, file);
  const db = await openDatabase();
  t.teardown(() => db.close());
  const files = await routeHours(lakeDir);

  t.like(report, { rowsRead: 5_842_932, rowsLoaded: 5_842_932, rowsRejected: 0 });
  t.deepEqual(await db.rows(TOTALS, { files }), [
    { flights: 5_842_932, delayedPercent: 11.98, cancelledPercent: 1.68, basis: 'arrival' },
  ]);
  t.deepEqual(
    await db.rows(
      `select sum(flight_count) as flights, sum(delayed_count) as delayed, sum(cancelled_count) as cancelled
       from read_parquet($files::json::varchar[], hive_partitioning = false)
       where origin = 'JFK' and dest = 'LAX' and carrier = 'DL'`,
      { files },
    ),
    [{ flights: 3156, delayed: 391, cancelled: 20 }],
  );
});
