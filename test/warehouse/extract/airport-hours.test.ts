import test from 'ava';
import {
  aFile,
  aFlight,
  aParquet,
  extractToLake,
  lakeRows,
  REAL_FLIGHTS,
  toCsv,
} from '../../helpers/flight-files.ts';

// 4 July 2018 is a Wednesday.
const WEDNESDAY = 3;
const THURSDAY = 4;

test('a flight is a departure at its origin and an arrival at its dest, each in local hours', async (t) => {
  const rows = [
    aFlight({ CRS_DEP_TIME: '0800', CRS_ARR_TIME: '1130', ARR_DELAY: '45' }),
    aFlight({ CRS_DEP_TIME: '0855', CRS_ARR_TIME: '1230', CANCELLED: '1.00', ARR_DELAY: '' }),
    aFlight({ ORIGIN: 'LAX', DEST: 'JFK', CRS_DEP_TIME: '0005', CRS_ARR_TIME: '0830' }),
  ];
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows)));
  const month = { month: '2018-07-01', weekday: WEDNESDAY };

  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'airportHours'), [
    {
      ...month,
      airport: 'JFK',
      local_hour: 8,
      crs_dep_count: 2,
      crs_arr_count: 1,
      completed_count: 1,
      delayed_count: 1,
    },
    {
      ...month,
      airport: 'LAX',
      local_hour: 0,
      crs_dep_count: 1,
      crs_arr_count: 0,
      completed_count: 1,
      delayed_count: 0,
    },
    {
      ...month,
      airport: 'LAX',
      local_hour: 11,
      crs_dep_count: 0,
      crs_arr_count: 1,
      completed_count: 0,
      delayed_count: 0,
    },
    {
      ...month,
      airport: 'LAX',
      local_hour: 12,
      crs_dep_count: 0,
      crs_arr_count: 1,
      completed_count: 0,
      delayed_count: 0,
    },
  ]);
});

test('an arrival after midnight is on the next day, an arrival earlier only by time zone is not', async (t) => {
  const rows = [
    aFlight({ CRS_DEP_TIME: '2250', CRS_ARR_TIME: '0115' }),
    aFlight({ CRS_DEP_TIME: '0850', CRS_ARR_TIME: '0845', DEST: 'BHM' }),
  ];
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows)));

  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'airportHours', 'airport, weekday, local_hour'), [
    { airport: 'BHM', weekday: WEDNESDAY, local_hour: 8 },
    { airport: 'JFK', weekday: WEDNESDAY, local_hour: 8 },
    { airport: 'JFK', weekday: WEDNESDAY, local_hour: 22 },
    { airport: 'LAX', weekday: THURSDAY, local_hour: 1 },
  ]);
});

test('a source without dates has no weekdays, and a source without arrival times has no arrivals', async (t) => {
  const file = await aParquet(
    t,
    `select 'DL' as OP_CARRIER, 7 as FL_MONTH, 'JFK' as ORIGIN, 'LAX' as DEST,
     800 as CRS_DEP_TIME, 45 as ARR_DELAY, 0 as CANCELLED`,
  );
  const { lakeDir } = await extractToLake(t, file, { year: 2018 });

  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'airportHours'), [
    {
      month: '2018-07-01',
      airport: 'JFK',
      weekday: null,
      local_hour: 8,
      crs_dep_count: 1,
      crs_arr_count: null,
      completed_count: 1,
      delayed_count: 1,
    },
  ]);
});

test('a real month counts each flight once as a departure and once as an arrival', async (t) => {
  const file = await aParquet(
    t,
    `from read_parquet('${REAL_FLIGHTS}/pnw_2023_01-10.parquet') where month = 3`,
  );
  const { lakeDir, report } = await extractToLake(t, file);
  const totals =
    'sum(crs_dep_count)::bigint as departures, sum(crs_arr_count)::bigint as arrivals, count(distinct weekday) as weekdays';

  t.deepEqual(await lakeRows(lakeDir, '2023-03', 'airportHours', totals), [
    { departures: report.rowsLoaded, arrivals: report.rowsLoaded, weekdays: 7 },
  ]);
});
