import test from 'ava';
import { lakeFilePath, readManifest, readManifests } from '../../../warehouse/lake/lake.ts';
import {
  aFile,
  aFlight,
  aFolder,
  aParquet,
  extractToLake,
  lakeRows,
  parquetRows,
  numberFlights,
  toCsv,
} from '../../helpers/flight-files.ts';

const CANCELLED = { CANCELLED: '1.00', DEP_TIME: '', DEP_DELAY: '', ARR_TIME: '', ARR_DELAY: '' };
const DIVERTED = { DIVERTED: '1.00', ARR_DELAY: '' };
const DELAY_COUNTS =
  'flight_count, completed_count, delayed15_count, delayed_count, delayed45_count, delayed60_count, delayed90_count, delayed120_count, delayed180_count, delayed360_count, delayed_min_sum';

const ROUTE = {
  month: '2018-07-01',
  carrier: 'DL',
  brand: null,
  origin: 'JFK',
  delay_basis: 'arrival',
};

test('flights are counted by hour; cancelled and diverted flights have no delay', async (t) => {
  const rows = [
    aFlight({ CRS_DEP_TIME: '0800', ARR_DELAY: '-12.00' }),
    aFlight({ CRS_DEP_TIME: '0859', ARR_DELAY: '45.00' }),
    aFlight({ CRS_DEP_TIME: '0800', ...CANCELLED }),
    aFlight({ CRS_DEP_TIME: '0800', ...DIVERTED }),
    aFlight({ CRS_DEP_TIME: '2400', ARR_DELAY: '130.00' }),
    aFlight({ CRS_DEP_TIME: '0800', DEST: 'SFO', ...CANCELLED }),
  ];
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(numberFlights(rows))));
  const noOutcomes = { cancelled_count: 0, diverted_count: 0, completed_count: 0 };
  const noDelays = {
    delayed15_count: 0,
    delayed_count: 0,
    delayed45_count: 0,
    delayed60_count: 0,
    delayed90_count: 0,
    delayed120_count: 0,
    delayed180_count: 0,
    delayed360_count: 0,
    delayed_min_sum: 0,
  };

  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'routeHours'), [
    {
      ...ROUTE,
      dest: 'LAX',
      crs_dep_hour: 0,
      flight_count: 1,
      ...noOutcomes,
      completed_count: 1,
      delayed15_count: 1,
      delayed_count: 1,
      delayed45_count: 1,
      delayed60_count: 1,
      delayed90_count: 1,
      delayed120_count: 1,
      delayed180_count: 0,
      delayed360_count: 0,
      delayed_min_sum: 130,
    },
    {
      ...ROUTE,
      dest: 'LAX',
      crs_dep_hour: 8,
      flight_count: 4,
      cancelled_count: 1,
      diverted_count: 1,
      completed_count: 2,
      ...noDelays,
      delayed15_count: 1,
      delayed_count: 1,
      delayed_min_sum: 45,
    },
    {
      ...ROUTE,
      dest: 'SFO',
      crs_dep_hour: 8,
      flight_count: 1,
      ...noOutcomes,
      cancelled_count: 1,
      ...noDelays,
    },
  ]);
  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'airportDays'), [
    {
      flight_date: '2018-07-04',
      airport: 'JFK',
      flight_count: 6,
      cancelled_count: 2,
      completed_count: 3,
      delayed_count: 2,
    },
  ]);
});

test('late counts start at 15 minutes, then after each further limit; delays over 30 are summed', async (t) => {
  const rows = [
    '14',
    '15',
    '30',
    '31',
    '45',
    '46',
    '60',
    '61',
    '90',
    '91',
    '120',
    '121',
    '180',
    '181',
    '361',
  ].map((minutes) => aFlight({ ARR_DELAY: minutes }));
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(numberFlights(rows))));

  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'routeHours', DELAY_COUNTS), [
    {
      flight_count: 15,
      completed_count: 15,
      delayed15_count: 14,
      delayed_count: 12,
      delayed45_count: 10,
      delayed60_count: 8,
      delayed90_count: 6,
      delayed120_count: 4,
      delayed180_count: 2,
      delayed360_count: 1,
      delayed_min_sum: 1387,
    },
  ]);
});

test('a source without arrivals is counted by departure delays and marked so', async (t) => {
  const rows = [aFlight({ DEP_DELAY: '31' }), aFlight({ DEP_DELAY: '' }), aFlight(CANCELLED)].map(
    ({ ARR_DELAY: _none, ...row }) => row,
  );
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(numberFlights(rows))));

  t.is((await readManifest(lakeDir, '2018-07'))?.delayBasis, 'departure');
  t.deepEqual(
    await lakeRows(
      lakeDir,
      '2018-07',
      'routeHours',
      `delay_basis, cancelled_count, ${DELAY_COUNTS}`,
    ),
    [
      {
        delay_basis: 'departure',
        cancelled_count: 1,
        flight_count: 3,
        completed_count: 1,
        delayed15_count: 1,
        delayed_count: 1,
        delayed45_count: 0,
        delayed60_count: 0,
        delayed90_count: 0,
        delayed120_count: 0,
        delayed180_count: 0,
        delayed360_count: 0,
        delayed_min_sum: 31,
      },
    ],
  );
});

test('the aggregates of lake months are a source that gives the same counts', async (t) => {
  const rows = [
    aFlight({ ARR_DELAY: '45' }),
    aFlight({ FL_DATE: '2018-08-01', ARR_DELAY: '31', CRS_DEP_TIME: '1900' }),
    aFlight({ FL_DATE: '2018-08-02', ...CANCELLED }),
  ];
  const first = await extractToLake(t, await aFile(t, toCsv(numberFlights(rows))));
  const [july = '', august = ''] = (await readManifests(first.lakeDir)).map((manifest) =>
    lakeFilePath(first.lakeDir, manifest.month, manifest.files.routeHours),
  );
  const seed = await aParquet(
    t,
    `from read_parquet(['${july}', '${august}'], hive_partitioning = false)`,
  );
  const again = await extractToLake(t, seed);

  t.deepEqual(
    again.report.months.map(({ month, rowsLoaded, outcome }) => [month, rowsLoaded, outcome]),
    [
      ['2018-07', 1, 'written'],
      ['2018-08', 2, 'written'],
    ],
  );
  const manifest = await readManifest(again.lakeDir, '2018-08');
  t.deepEqual(Object.keys(manifest?.files ?? {}), ['routeHours']);
  t.is(manifest?.delayBasis, 'arrival');
  t.deepEqual(await lakeRows(again.lakeDir, '2018-08', 'routeHours'), await parquetRows(august));
});

const COLUMNS =
  'month,carrier,origin,dest,crs_dep_hour,delay_basis,flight_count,cancelled_count,diverted_count,completed_count,delayed15_count,delayed_count,delayed60_count,delayed120_count,delayed_min_sum';

test('aggregates of a future month are refused', async (t) => {
  const csv = `${COLUMNS}\n2026-12-01,DL,JFK,LAX,8,arrival,1,0,0,1,0,0,0,0,0`;
  const error = await t.throwsAsync(extractToLake(t, await aFile(t, csv, 'seed.csv')));

  t.regex(error?.message ?? '', /1 of 1 rows have no valid month \(future_date 1\)/);
});

test('rows with contradicting counts are rejected', async (t) => {
  const csv = [
    COLUMNS,
    '2018-07-01,DL,JFK,LAX,8,arrival,10,1,1,8,3,2,1,0,95',
    '2018-07-01,DL,JFK,LAX,,arrival,10,1,1,8,0,0,0,0,0',
    '2018-07-01,DL,JFK,LAX,8,arrival,1,0,0,1,0,0,0,0,0',
    '2018-07-02,DL,JFK,SFO,8,arrival,1,0,0,1,0,0,0,0,0',
    '2018-07-01,DL,JFK,SFO,24,arrival,1,0,0,1,0,0,0,0,0',
    '2018-07-01,DL,JFK,SFO,8,landing,1,0,0,1,0,0,0,0,0',
    '2018-07-01,DL,JFK,SFO,8,arrival,0,0,0,0,0,0,0,0,0',
    '2018-07-01,DL,JFK,SFO,8,arrival,5,-1,0,1,0,0,0,0,0',
    '2018-07-01,DL,JFK,SFO,8,arrival,5,1,0,5,0,0,0,0,0',
    '2018-07-01,DL,JFK,SFO,8,arrival,5,0,0,5,1,2,0,0,62',
    '2018-07-01,DL,JFK,SFO,8,arrival,5,0,0,5,2,2,0,0,61',
  ].join('\n');
  const { report } = await extractToLake(t, await aFile(t, csv, 'seed.csv'), {
    lakeDir: await aFolder(t),
  });

  t.deepEqual(await parquetRows(/see (.*)$/.exec(report.notes[0] ?? '')?.[1] ?? ''), [
    { line: 4, column: 'carrier', value: 'DL', reason: 'duplicate_key' },
    { line: 5, column: 'month', value: '2018-07-02', reason: 'invalid_month' },
    { line: 6, column: 'crs_dep_hour', value: '24', reason: 'invalid_crs_dep_hour' },
    { line: 7, column: 'delay_basis', value: 'landing', reason: 'invalid_delay_basis' },
    { line: 8, column: 'flight_count', value: '0', reason: 'invalid_count' },
    { line: 9, column: 'cancelled_count', value: '-1', reason: 'invalid_count' },
    { line: 10, column: 'completed_count', value: '5', reason: 'invalid_count' },
    { line: 11, column: 'delayed_count', value: '2', reason: 'invalid_count' },
    { line: 12, column: 'delayed_min_sum', value: '61', reason: 'invalid_delayed_min_sum' },
  ]);
});
