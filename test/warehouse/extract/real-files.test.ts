import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { detectForm } from '../../../pipelines/flights/detect-form.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { inspect } from '../../../warehouse/extract/inspect.ts';
import { lakeFilePath, readManifests } from '../../../warehouse/lake/lake.ts';
import { aFolder, extractToLake, REAL_FLIGHTS } from '../../helpers/flight-files.ts';

// The expected shares were counted when the files were collected. They are percentages with two decimals.
const TOTALS = `select
    sum(flight_count) as flights,
    round(100 * sum(delayed_count) / sum(completed_count), 2) as "delayedPercent",
    round(100 * sum(cancelled_count) / sum(flight_count), 2) as "cancelledPercent",
    any_value(delay_basis) as basis
  from read_parquet($files::json::varchar[], hive_partitioning = false)`;

type Totals = {
  form: string;
  months: number;
  flights: number;
  delayedPercent: number;
  cancelledPercent: number;
  basis: 'arrival' | 'departure';
};

/** Extracts a real file and sums its months in the lake. */
async function extractTotals(t: ExecutionContext, name: string) {
  const { lakeDir, report } = await extractToLake(t, path.join(REAL_FLIGHTS, name));
  t.is(report.rowsLoaded + report.rowsRejected, report.rowsRead);
  const manifests = await readManifests(lakeDir);
  const files = JSON.stringify(
    manifests.map(({ month, files }) => lakeFilePath(lakeDir, month, files.routeHours)),
  );
  const db = await openDatabase();
  t.teardown(() => db.close());
  const [row] = await db.rows<Record<string, unknown>>(TOTALS, { files });
  return { form: report.source.form, months: report.months.length, ...row };
}

/** Declares a test of a real file: form, months, and shares. The shares were counted when the file was collected. */
function testTotals(title: string, name: string, expected: Totals): void {
  test.serial(title, async (t) => {
    t.deepEqual(await extractTotals(t, name), expected);
  });
}

testTotals('four days of 2015 under DOT names', 'us_2015-01-01_04.csv.gz', {
  form: 'kaggle_2015',
  months: 1,
  flights: 55_105,
  delayedPercent: 20.3,
  cancelledPercent: 2.24,
  basis: 'arrival',
});

testTotals('New York 2017 in the form of nycflights', 'nyc_2017.parquet', {
  form: 'nycflights',
  months: 12,
  flights: 303_748,
  delayedPercent: 16.56,
  cancelledPercent: 2.57,
  basis: 'arrival',
});

const DOWNLOADED = { form: 'bts_short_departures', months: 1, basis: 'departure' } as const;

testTotals(
  'February 2021 as downloaded, without arrivals',
  'bts_t_ontime_reporting_2021_02.csv.gz',
  {
    ...DOWNLOADED,
    flights: 2922,
    delayedPercent: 7.96,
    cancelledPercent: 4.18,
  },
);

testTotals('March 2021 as downloaded, without arrivals', 'bts_t_ontime_reporting_2021_03.csv.gz', {
  ...DOWNLOADED,
  flights: 3766,
  // Share of completed flights. It would be 5.51 if flights counted that left the gate before their cancellation.
  delayedPercent: 5.52,
  cancelledPercent: 2.28,
});

testTotals('April 2021 as downloaded, without arrivals', 'bts_t_ontime_reporting_2021_04.csv.gz', {
  ...DOWNLOADED,
  flights: 3602,
  delayedPercent: 5.33,
  cancelledPercent: 0.44,
});

testTotals('a sample of 2024 in lower case', 'us_2024_sample_a.csv.gz', {
  form: 'bts_short',
  months: 12,
  flights: 5000,
  delayedPercent: 13.47,
  cancelledPercent: 1.2,
  basis: 'arrival',
});

testTotals(
  'departures of 2022 without a time, with the marketing names of airlines',
  'us_2022_02_04_depdelay.parquet',
  {
    form: 'named_departures',
    months: 2,
    flights: 1_048_575,
    delayedPercent: 13.23,
    cancelledPercent: 3.25,
    basis: 'departure',
  },
);

testTotals(
  '2018 of 325 airports by month, airlines by name',
  'us_2018_300airports_bymonth.parquet',
  {
    form: 'by_month_airports',
    months: 12,
    flights: 2_590_872,
    delayedPercent: 10.74,
    cancelledPercent: 1.69,
    basis: 'arrival',
  },
);

// Covered by test/pipelines/seed/build.test.ts, because the seed uses the whole files.
for (const [name, form] of [
  ['pnw_2023_01-10.parquet', 'nycflights'],
  ['phx_iah_2019_12.csv.gz', 'bts_short'],
  ['us_2024-08_2025-04_20hubs.parquet', 'bts_weekdays'],
  ['us_2018_16carriers_bymonth.parquet', 'by_month_carriers'],
] as const) {
  test.serial(`the header of ${name} is of the form ${form}`, async (t) => {
    const { header } = await inspect(path.join(REAL_FLIGHTS, name), () => aFolder(t));
    t.is(detectForm(header).form?.name, form);
  });
}
