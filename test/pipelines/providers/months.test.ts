import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import { loadMonth } from '../../../warehouse/build/load.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { readManifest } from '../../../warehouse/lake/lake.ts';
import { verifyFiles } from '../../../warehouse/lake/verify.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { aFile, aFolder, extractToLake } from '../../helpers/flight-files.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

const AMERICAN = `FL_DATE,OP_UNIQUE_CARRIER,ORIGIN,DEST,CRS_DEP_TIME,ARR_DELAY,CANCELLED,DIVERTED
2019-12-03,DL,JFK,LAX,0800,31,0,0
`;

const BRITISH = [
  'run_date,reporting_period,reporting_airport,origin_destination_country,origin_destination,airline_name',
  'arrival_departure,scheduled_charter,number_flights_matched,actual_flights_unmatched,number_flights_cancelled',
  'flights_more_than_15_minutes_early_percent,flights_15_minutes_early_to_1_minute_early_percent',
  'flights_0_to_15_minutes_late_percent,flights_between_16_and_30_minutes_late_percent',
  'flights_between_31_and_60_minutes_late_percent,flights_between_61_and_120_minutes_late_percent',
  'flights_between_121_and_180_minutes_late_percent,flights_between_181_and_360_minutes_late_percent',
  'flights_more_than_360_minutes_late_percent,flights_unmatched_percent,flights_cancelled_percent,average_delay_mins',
].join(',');

/** A row of flights of Air France from Heathrow to Paris, a tenth of them 31 to 60 minutes late. */
const toParis = (period: string, flights: number) =>
  `x,${period},HEATHROW,FRANCE,PARIS (CHARLES DE GAULLE),AIR FRANCE,D,S,${flights},0,0,0,50,30,10,10,0,0,0,0,0,0,9`;

async function british(t: ExecutionContext, lakeDir: string, ...rows: string[]) {
  const file = await aFile(t, [BRITISH, ...rows, ''].join('\n'));
  return (await extractToLake(t, file, { lakeDir })).report;
}

test('a month of one provider never replaces a month of another', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, AMERICAN));
  const before = await readManifest(lakeDir, '2019-12');
  const report = await british(t, lakeDir, toParis('201912', 100));
  t.is(report.source.provider, 'caa');
  t.deepEqual(await readManifest(lakeDir, '2019-12'), before);
  const own = await readManifest(providerLakeDir(lakeDir, 'caa'), '2019-12');
  t.is(own?.source.form, 'caa_punctuality');

  const [flights] = await verifyFiles({ lakeDir, storeDir: '', downloadsDir: '' });
  t.deepEqual([flights?.checked, flights?.damaged], [2, []]);
  const file = own?.files.routeHours.name ?? '';
  const month = path.join(providerLakeDir(lakeDir, 'caa'), 'flights/year=2019/month=12');
  await writeFile(path.join(month, file), 'damaged');
  const [damaged] = await verifyFiles({ lakeDir, storeDir: '', downloadsDir: '' });
  t.deepEqual(damaged?.damaged, ['caa 2019-12']);
});

test('a lake without providers needs no change: its months are of BTS, and their files are not read again', async (t) => {
  const { lakeDir, report } = await extractToLake(t, await aFile(t, AMERICAN));
  t.is(report.source.provider, undefined);
  t.true(existsSync(path.join(lakeDir, 'flights/year=2019/month=12/manifest.json')));
  await british(t, lakeDir, toParis('201912', 100));
  const { findExtracted } = createExtractDeps({ lakeDir, codeVersion: 'test' });
  const found = await findExtracted(report.source.sha256);
  t.deepEqual(
    found.map(({ month }) => month),
    ['2019-12'],
  );
  t.deepEqual(await findExtracted(report.source.sha256, 'flights', 'caa'), []);
});

test('a month is replaced while holding the lock of its provider', async (t) => {
  const locked: object[] = [];
  const deps = createExtractDeps({
    lakeDir: await aFolder(t),
    codeVersion: 'test',
    withMonthLock: (ref, work) => {
      locked.push(ref);
      return work();
    },
  });
  for (const text of [AMERICAN, [BRITISH, toParis('201912', 100), ''].join('\n')]) {
    await extractFile({ path: await aFile(t, text) }, deps, () => undefined);
  }
  const month = { month: '2019-12', tree: 'flights' };
  t.deepEqual(locked, [month, { ...month, provider: 'caa' }]);
});

test('a year replaces its months in the warehouse, in any order of loads', async (t) => {
  const lakeDir = await aFolder(t);
  await british(t, lakeDir, toParis('201905', 100));
  await british(t, lakeDir, toParis('2019', 1_300));
  const own = providerLakeDir(lakeDir, 'caa');
  const count = async (order: string[]) => {
    const db = await createWarehouse(t);
    for (const month of order) await loadMonth(db, own, month);
    return db.rows(
      `select strftime(month, '%Y-%m') as month, sum(flight_count)::int as flights from raw.route_hours group by 1`,
    );
  };
  const year = [{ month: '2019-12', flights: 1_300 }];
  t.deepEqual(await count(['2019-05', '2019-12']), year);
  t.deepEqual(await count(['2019-12', '2019-05']), year);
  const db = await createWarehouse(t);
  await loadMonth(db, own, '2019-12');
  t.deepEqual(
    await db.rows('select period_months, is_year(month) as is_year from raw.lake_months'),
    [{ period_months: 12, is_year: true }],
  );
});

test('counts that are not published are inferred in the warehouse, and null in the lake', async (t) => {
  const { lakeDir } = await extractToLake(
    t,
    await aFile(
      t,
      `Route,Departing_Port,Arriving_Port,Airline,Month,Sectors_Scheduled,Sectors_Flown,Cancellations,Departures_On_Time,Arrivals_On_Time,Departures_Delayed,Arrivals_Delayed,Year,Month_Num
x,Sydney,Melbourne,Qantas,Jan-20,110,100,10,60,75,40,25,2020,1
x,Sydney,Melbourne,QantasLink,Jan-20,50,50,0,30,25,20,25,2020,1
x,Sydney,Melbourne,All Airlines,Jan-20,160,150,10,90,100,60,50,2020,1
`,
    ),
  );
  const db = await createWarehouse(t);
  await loadMonth(db, providerLakeDir(lakeDir, 'bitre'), '2020-01');
  t.deepEqual(
    await db.rows(
      `select carrier, flight_count, cancelled_count, diverted_count, completed_count, delayed15_count, delayed_count
       from raw.route_hours`,
    ),
    [
      {
        carrier: 'QF',
        flight_count: 160,
        cancelled_count: 10,
        diverted_count: 0,
        completed_count: 150,
        delayed15_count: 50,
        delayed_count: 24,
      },
    ],
  );
  t.deepEqual(await db.rows('select inferred_minutes, provider from raw.lake_months'), [
    { inferred_minutes: [30, 60, 120, 180, 360], provider: 'bitre' },
  ]);
  const [late] = await db.rows<Record<'late180' | 'late120', number>>(
    'select sum(delayed120_count) as late120, sum(delayed180_count) as late180 from raw.route_hours',
  );
  t.true(late!.late180 > 0 && late!.late180 < late!.late120);
});

test('the generic form reads local times, offsets, ICAO codes and flights past midnight', async (t) => {
  const { lakeDir, report } = await extractToLake(
    t,
    await aFile(
      t,
      `flight_date,airline,flight,origin,dest,scheduled_departure,scheduled_arrival,actual_departure,actual_arrival,cancelled,diverted
2025-03-05,AFR,AF1681,EGLL,LFPG,08:15,10:35,08:20,11:10,0,0
2025-03-05,AF,1681,LHR,CDG,2025-03-05T09:15:00Z,2025-03-05T10:35:00Z,2025-03-05T09:15:00Z,2025-03-05T11:05:00Z,,
2025-03-05,AF,1683,LHR,CDG,2200,2350,2210,0025,,
2025-03-05,AF,1685,LHR,CDG,12:00,14:20,,,1,
2025-03-05,AF,1687,LHR,CDG,noon,14:20,,,0,
2025-03-05,QQQ,1,LHR,CDG,12:00,14:20,,,0,
`,
    ),
    { force: true },
  );
  t.is(report.source.provider, 'own');
  t.deepEqual(report.rowsRead, 6);
  t.deepEqual(report.months[0]?.rejects, { invalid_time: 1, invalid_carrier: 1 });
  t.is(report.months[0]?.outcome, 'refused');
  t.is(await readManifest(providerLakeDir(lakeDir, 'own'), '2025-03'), undefined);
});
