import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { aFolder, aParquet, extractToLake, NOW, REAL_FLIGHTS } from '../../helpers/flight-files.ts';

const LEVELS = path.join(REAL_FLIGHTS, '../levels/bts_delay_cause_2018-01_2025-12.parquet');
const named = (file: string) => `read_parquet('${path.join(REAL_FLIGHTS, file)}')`;

/** A lake with BTS's delay-cause table of these years. */
async function aLakeWithTable(t: ExecutionContext, years: string): Promise<string> {
  const table = await aParquet(t, `select * from '${LEVELS}' where year in (${years})`);
  return (await extractToLake(t, table)).lakeDir;
}

/** Reports the months of the rows of a query, loaded into the lake. */
async function months(
  t: ExecutionContext,
  query: string,
  options: { lakeDir?: string; year?: number; force?: boolean } = {},
) {
  const { report } = await extractToLake(t, await aParquet(t, query), options);
  return report.months;
}

const JUNE_2020 = `select * from ${named('us_2020_03_06_09_depdelay.parquet')} where FlightDate::varchar like '2020-06%'`;

test('a month with all flights of the table is whole; without an airline, an airport or a day it is partial', async (t) => {
  const lakeDir = await aLakeWithTable(t, '2020');
  const kindOf = async (query: string) =>
    (await months(t, query, { lakeDir, force: true }))[0]?.completeness?.kind;
  t.is(await kindOf(JUNE_2020), 'whole');
  t.is(await kindOf(`${JUNE_2020} and Airline <> 'Southwest Airlines Co.'`), 'partial');
  t.is(await kindOf(`${JUNE_2020} and Origin not in ('ATL', 'DEN', 'ORD')`), 'partial');
  t.is(await kindOf(`${JUNE_2020} and day(FlightDate::date) <> 17`), 'partial');
});

test('one flight in twenty is a sample, with and without the table of the month', async (t) => {
  const lakeDir = await aLakeWithTable(t, '2020');
  const sample = `select * from (${JUNE_2020}) as rows where hash(rows::varchar, 1) % 20 = 0`;
  t.is((await months(t, sample, { lakeDir }))[0]?.completeness?.kind, 'sample');
  t.is((await months(t, sample))[0]?.completeness?.kind, 'sample');
});

test('without the table, a schedule of the whole country is whole, and a region or four days are partial', async (t) => {
  t.is((await months(t, JUNE_2020))[0]?.completeness?.kind, 'whole');
  const seattle = `select * from ${named('pnw_2023_01-10.parquet')} where month = 1`;
  t.like((await months(t, seattle))[0]?.completeness, {
    kind: 'partial',
    tableShare: null,
    days: 31,
    monthDays: 31,
    airports: 2,
  });
  const { report } = await extractToLake(t, path.join(REAL_FLIGHTS, 'us_2015-01-01_04.csv.gz'));
  t.like(report.months[0]?.completeness, { kind: 'partial', days: 4, monthDays: 31 });
});

test('the flights of two airports are partial, with their share of the table', async (t) => {
  const lakeDir = await aLakeWithTable(t, '2023');
  const seattle = `select * from ${named('pnw_2023_01-10.parquet')} where month = 1`;
  const [month] = await months(t, seattle, { lakeDir });
  t.is(month?.completeness?.kind, 'partial');
  t.is(Math.round(100 * (month?.completeness?.tableShare ?? 0)), 3);
});

test("a file of 2018 with YEAR=2020 is refused, because BTS's table of 2020 disagrees", async (t) => {
  const lakeDir = await aLakeWithTable(t, '2018, 2020');
  const file = `select * from ${named('us_2018_16carriers_bymonth.parquet')} where FL_MONTH in (1, 4)`;
  const wrong = await months(t, file, { lakeDir, year: 2020 });
  t.deepEqual(
    wrong.map(({ outcome }) => outcome),
    ['refused', 'refused'],
  );
  t.regex(
    wrong[1]?.why ?? '',
    /^\d+ of its \d+ flights \(\d+ %\) are not in BTS's table of the month, \d+ of them where the airline did not fly \(.*\): is YEAR=2020 right\?; FORCE=1 loads it anyway$/,
  );
  const right = await months(t, file, { lakeDir, year: 2018 });
  t.deepEqual(
    right.map(({ outcome }) => outcome),
    ['written', 'written'],
  );
});

test('flights of an airline to an airport that the table does not have are refused as invented', async (t) => {
  const lakeDir = await aLakeWithTable(t, '2020');
  const invented = `select FlightDate, Airline, Origin, 'HNL' as Dest, DepDelay
    from (${JUNE_2020}) where Dest = 'ORD'`;
  const [month] = await months(t, `(${JUNE_2020} and Dest <> 'ORD') union all (${invented})`, {
    lakeDir,
  });
  t.is(month?.outcome, 'refused');
  t.regex(month?.why ?? '', /its dates are wrong, or flights are repeated or invented/);
});

test('the table of a month is used only if its file is intact', async (t) => {
  const lakeDir = await aLakeWithTable(t, '2020');
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  const place = path.join(lakeDir, 'levels', 'year=2020', 'month=06');
  const [file] = await db.rows<{ file: string }>(`select file from glob('${place}/*.parquet')`);
  await db.run(`copy (select 1 as month) to '${file?.file}' (format parquet)`);
  const deps = createExtractDeps({
    lakeDir: await aFolder(t),
    codeVersion: 'test',
    now: () => NOW,
  });
  const damaged = createExtractDeps({ lakeDir, codeVersion: 'test', now: () => NOW });
  const path_ = await aParquet(t, JUNE_2020);
  for (const each of [deps, damaged]) {
    const report = await extractFile({ path: path_, dryRun: true }, each, () => undefined);
    t.is(report.months[0]?.completeness?.tableShare, null);
  }
});
