import test, { type ExecutionContext } from 'ava';
import {
  aFile,
  aFlight,
  aParquet,
  extractToLake,
  lakeRows,
  toCsv,
} from '../../helpers/flight-files.ts';

const OUTCOME = 'dep_delay_min, arr_delay_min, is_cancelled, cancellation_code, is_diverted';
const TIMES = 'crs_dep_time, dep_time, crs_arr_time, arr_time';

/** Reads a CSV and returns the flights of the month in the lake. */
async function lakeFlights(t: ExecutionContext, csv: string, month: string, columns = '*') {
  const { lakeDir } = await extractToLake(t, await aFile(t, csv));
  return lakeRows(lakeDir, month, 'flights', columns);
}

test('a BTS flight becomes one row with names, units and types of the lake', async (t) => {
  t.deepEqual(await lakeFlights(t, toCsv([aFlight()]), '2018-07'), [
    {
      flight_date: '2018-07-04',
      weekday: 3,
      carrier: 'DL',
      flight_number: '423',
      codeshares: null,
      tail_number: 'N101DL',
      origin: 'JFK',
      dest: 'LAX',
      crs_dep_time: 800,
      crs_arr_time: 1130,
      dep_time: 800,
      arr_time: 1130,
      dep_delay_min: 0,
      arr_delay_min: 0,
      is_cancelled: false,
      cancellation_code: null,
      is_diverted: false,
      distance_mi: 2475,
      brand: null,
      brand_flight_number: null,
    },
  ]);
});

test('lower-case columns, floats, quotes and blanks are accepted', async (t) => {
  const csv = [
    'fl_date,op_unique_carrier,op_carrier_fl_num,origin,origin_city_name,dest,crs_dep_time,dep_delay,arr_delay,cancelled,diverted,distance',
    '2024-04-18,MQ,3535.0,DFW,"Dallas/Fort Worth, TX",RAP,1018,-3.0,-10.0,0,0,835.0',
    '2024-04-18,MQ, ,DFW,"Dallas/Fort Worth, TX",RAP,5,,,0,1,NA',
  ].join('\n');

  t.deepEqual(
    await lakeFlights(
      t,
      csv,
      '2024-04',
      'flight_number, tail_number, crs_dep_time, dep_delay_min, arr_delay_min, is_diverted, distance_mi',
    ),
    [
      {
        flight_number: '3535',
        tail_number: null,
        crs_dep_time: 1018,
        dep_delay_min: -3,
        arr_delay_min: -10,
        is_diverted: false,
        distance_mi: 835,
      },
      {
        flight_number: null,
        tail_number: null,
        crs_dep_time: 5,
        dep_delay_min: null,
        arr_delay_min: null,
        is_diverted: true,
        distance_mi: null,
      },
    ],
  );
});

test('2400 is midnight, stored as 0 on the given date', async (t) => {
  const rows = [
    aFlight({ CRS_DEP_TIME: '2400', DEP_TIME: '2400', CRS_ARR_TIME: '2359', ARR_TIME: '0001' }),
  ];

  t.deepEqual(await lakeFlights(t, toCsv(rows), '2018-07', `flight_date, ${TIMES}`), [
    { flight_date: '2018-07-04', crs_dep_time: 0, dep_time: 0, crs_arr_time: 2359, arr_time: 1 },
  ]);
});

test('a cancelled flight keeps its reason and has no arrival', async (t) => {
  const rows = [
    aFlight({
      DEP_TIME: '',
      DEP_DELAY: '',
      ARR_TIME: '',
      ARR_DELAY: '',
      CANCELLED: '1.00',
      CANCELLATION_CODE: 'B',
    }),
  ];

  t.deepEqual(await lakeFlights(t, toCsv(rows), '2018-07', OUTCOME), [
    {
      dep_delay_min: null,
      arr_delay_min: null,
      is_cancelled: true,
      cancellation_code: 'B',
      is_diverted: false,
    },
  ]);
});

test('without DIVERTED, a flight that was not cancelled and has no arrival delay was diverted', async (t) => {
  const csv = [
    'FL_DATE,OP_UNIQUE_CARRIER,ORIGIN,DEST,CRS_DEP_TIME,DEP_DELAY,ARR_DELAY,CANCELLED',
    '12/1/2019 12:00:00 AM,HA,PHX,HNL,830,-3,5,0',
    '12/1/2019 12:00:00 AM,HA,PHX,HNL,830,12,,0',
    '12/31/2019 12:00:00 AM,HA,PHX,HNL,830,,,1',
  ].join('\r\n');

  t.deepEqual(await lakeFlights(t, csv, '2019-12', 'flight_date, is_cancelled, is_diverted'), [
    { flight_date: '2019-12-01', is_cancelled: false, is_diverted: false },
    { flight_date: '2019-12-01', is_cancelled: false, is_diverted: true },
    { flight_date: '2019-12-31', is_cancelled: true, is_diverted: false },
  ]);
});

test('a download without arrivals has departure delays and no known diversions', async (t) => {
  const csv = [
    'YEAR,MONTH,FL_DATE,OP_UNIQUE_CARRIER,ORIGIN,DEST,CRS_DEP_TIME,DEP_DELAY_NEW,CANCELLED,CANCELLATION_CODE',
    '2021,2,2/1/2021 12:00:00 AM,AA,OMA,PHX,0606,0.00,0.00,',
    '2021,2,2/2/2021 12:00:00 AM,AA,OMA,PHX,0606,,1.00,A',
  ].join('\n');

  t.deepEqual(await lakeFlights(t, csv, '2021-02', OUTCOME), [
    {
      dep_delay_min: 0,
      arr_delay_min: null,
      is_cancelled: false,
      cancellation_code: null,
      is_diverted: null,
    },
    {
      dep_delay_min: null,
      arr_delay_min: null,
      is_cancelled: true,
      cancellation_code: 'A',
      is_diverted: null,
    },
  ]);
});

test('in nycflights a flight without departure is cancelled, and a flight without arrival delay is diverted', async (t) => {
  const header =
    'year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,flight,tailnum,origin,dest';
  const csv = [
    header,
    '2017,1,9,513,520,-7,815,825,-10,B6,901,N627JB,JFK,FLL',
    '2017,1,9,513,520,-7,1402,825,NA,B6,902,N628JB,JFK,FLL',
    '2017,1,9,NA,520,NA,NA,825,NA,B6,903,NA,JFK,FLL',
  ].join('\n');
  const columns = `flight_date, tail_number, ${OUTCOME}`;
  const expected = [
    {
      flight_date: '2017-01-09',
      tail_number: 'N627JB',
      dep_delay_min: -7,
      arr_delay_min: -10,
      is_cancelled: false,
      cancellation_code: null,
      is_diverted: false,
    },
    {
      flight_date: '2017-01-09',
      tail_number: 'N628JB',
      dep_delay_min: -7,
      arr_delay_min: null,
      is_cancelled: false,
      cancellation_code: null,
      is_diverted: true,
    },
    {
      flight_date: '2017-01-09',
      tail_number: null,
      dep_delay_min: null,
      arr_delay_min: null,
      is_cancelled: true,
      cancellation_code: null,
      is_diverted: false,
    },
  ];
  const parquet = await aParquet(
    t,
    `select 2017::smallint as year, 1::tinyint as month, 9::tinyint as day, dep_time::smallint as dep_time,
       520::smallint as sched_dep_time, dep_delay::smallint as dep_delay, arr_delay::smallint as arr_delay,
       'B6' as carrier, tailnum, 'JFK' as origin, 'FLL' as dest
     from (values (513, -7, -10, 'N627JB'), (513, -7, null, 'N628JB'), (null, null, null, null))
       as flights (dep_time, dep_delay, arr_delay, tailnum)`,
  );
  const { lakeDir } = await extractToLake(t, parquet);

  t.deepEqual(await lakeFlights(t, csv, '2017-01', columns), expected);
  t.deepEqual(await lakeRows(lakeDir, '2017-01', 'flights', columns), expected);
});

test('flights dated by month get the requested year and no date', async (t) => {
  const csv = [
    'OP_CARRIER,FL_MONTH,ORIGIN,DEST,CRS_DEP_TIME,ARR_DELAY,CANCELLED',
    'DL,7,JFK,LAX,800,31,0',
    'DL,7,JFK,LAX,800,,0',
    'DL,7,JFK,LAX,800,,1',
  ].join('\n');
  const { lakeDir, report } = await extractToLake(t, await aFile(t, csv), { year: 2018 });

  t.deepEqual(report.notes, []);
  t.deepEqual(
    await lakeRows(
      lakeDir,
      '2018-07',
      'flights',
      'flight_date, arr_delay_min, is_cancelled, is_diverted',
    ),
    [
      { flight_date: null, arr_delay_min: 31, is_cancelled: false, is_diverted: false },
      { flight_date: null, arr_delay_min: null, is_cancelled: false, is_diverted: true },
      { flight_date: null, arr_delay_min: null, is_cancelled: true, is_diverted: false },
    ],
  );
  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'airportDays'), []);
});

test('names of airlines and cancellation reasons become codes', async (t) => {
  const csv = [
    'Origin,Destination,Airline,Year,Month,Scheduled Departure Time,Departure Delay Time (mins),Arrival Delay Time (mins),Flight Cancellation,Cancellation Reason',
    'ABE,ATL,Delta Air Lines Inc.,2018,1,600,-6,-9,0,',
    'ABE,ATL,PSA Airlines Inc.,2018,1,600,,,1,Airline',
    'ABE,ATL,Envoy Air,2018,1,600,,,1,Weather',
    'ABE,ATL,Republic Airline,2018,1,600,,,1,National Air System',
    'ABE,ATL,JetBlue Airways,2018,1,600,,,1,Security',
  ].join('\n');

  t.deepEqual(await lakeFlights(t, csv, '2018-01', 'carrier, cancellation_code'), [
    { carrier: 'DL', cancellation_code: null },
    { carrier: 'OH', cancellation_code: 'A' },
    { carrier: 'MQ', cancellation_code: 'B' },
    { carrier: 'YX', cancellation_code: 'C' },
    { carrier: 'B6', cancellation_code: 'D' },
  ]);
});
