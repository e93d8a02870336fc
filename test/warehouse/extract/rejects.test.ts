import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { monthDir, readManifest, readManifests } from '../../../warehouse/lake/lake.ts';
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

/** Creates `count` good lines, so that one bad line is under 1 %. */
const goodRows = (count: number) => numberFlights(Array.from({ length: count }, () => aFlight()));

/**
 * Reads the quarantine file of a refused month or source file. `text` is the note or error message that contains the
 * path.
 */
async function readQuarantine(text: string | undefined) {
  return parquetRows(/see (.*)$/.exec(text ?? '')?.[1] ?? '');
}

async function rejectsOf(t: ExecutionContext, bad: Record<string, string>[]) {
  const { report } = await extractToLake(t, await aFile(t, toCsv([aFlight(), ...bad])));
  t.is(report.months[0]?.outcome, 'refused');
  return readQuarantine(report.notes[0]);
}

test('a bad row is rejected with its line, column, value and reason', async (t) => {
  const rows = numberFlights([...goodRows(99), aFlight({ ORIGIN: 'KJFK' }), ...goodRows(100)]);
  const { lakeDir, report } = await extractToLake(t, await aFile(t, toCsv(rows)));
  const manifest = await readManifest(lakeDir, '2018-07');

  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'rejects'), [
    { line: 101, column: 'origin', value: 'KJFK', reason: 'invalid_origin' },
  ]);
  t.deepEqual(manifest?.rows, { read: 200, loaded: 199, rejected: 1 });
  t.deepEqual(manifest?.rejects, { invalid_origin: 1 });
  t.like(report, { rowsRead: 200, rowsLoaded: 199, rowsRejected: 1 });
});

test('each kind of bad value has its reason, and a row reports its first bad value', async (t) => {
  const rejects = await rejectsOf(t, [
    aFlight({ OP_UNIQUE_CARRIER: 'DAL', ORIGIN: 'x' }),
    aFlight({ OP_UNIQUE_CARRIER: '' }),
    aFlight({ ORIGIN: '' }),
    aFlight({ DEST: 'la' }),
    aFlight({ DEST: 'JFK' }),
    aFlight({ CRS_DEP_TIME: '1260' }),
    aFlight({ CRS_DEP_TIME: '2401' }),
    aFlight({ CRS_DEP_TIME: '' }),
    aFlight({ CRS_ARR_TIME: '-5' }),
    aFlight({ DEP_TIME: '8:00' }),
    aFlight({ ARR_TIME: '99999' }),
    aFlight({ DEP_DELAY: 'late' }),
    aFlight({ ARR_DELAY: '1.5' }),
    aFlight({ CANCELLED: '2' }),
    aFlight({ CANCELLED: '' }),
    aFlight({ CANCELLATION_CODE: 'E' }),
    aFlight({ DIVERTED: 'no' }),
    aFlight({ DISTANCE: '0' }),
  ]);

  t.deepEqual(rejects, [
    { line: 3, column: 'carrier', value: 'DAL', reason: 'invalid_carrier' },
    { line: 4, column: 'carrier', value: null, reason: 'invalid_carrier' },
    { line: 5, column: 'origin', value: null, reason: 'invalid_origin' },
    { line: 6, column: 'dest', value: 'la', reason: 'invalid_dest' },
    { line: 7, column: 'dest', value: 'JFK', reason: 'same_origin_dest' },
    { line: 8, column: 'crs_dep_time', value: '1260', reason: 'invalid_crs_dep_time' },
    { line: 9, column: 'crs_dep_time', value: '2401', reason: 'invalid_crs_dep_time' },
    { line: 10, column: 'crs_dep_time', value: null, reason: 'invalid_crs_dep_time' },
    { line: 11, column: 'crs_arr_time', value: '-5', reason: 'invalid_crs_arr_time' },
    { line: 12, column: 'dep_time', value: '8:00', reason: 'invalid_dep_time' },
    { line: 13, column: 'arr_time', value: '99999', reason: 'invalid_arr_time' },
    { line: 14, column: 'dep_delay_min', value: 'late', reason: 'invalid_dep_delay' },
    { line: 15, column: 'arr_delay_min', value: '1.5', reason: 'invalid_arr_delay' },
    { line: 16, column: 'is_cancelled', value: '2', reason: 'invalid_cancelled' },
    { line: 17, column: 'is_cancelled', value: null, reason: 'invalid_cancelled' },
    { line: 18, column: 'cancellation_code', value: 'E', reason: 'invalid_cancellation_code' },
    { line: 19, column: 'is_diverted', value: 'no', reason: 'invalid_diverted' },
    { line: 20, column: 'distance_mi', value: '0', reason: 'invalid_distance' },
  ]);
});

test('a delay is valid from one day early to seven days late', async (t) => {
  const delays = ['-1440', '-1441', '10080', '10081'];
  const rejects = await rejectsOf(
    t,
    numberFlights(delays.map((delay) => aFlight({ ARR_DELAY: delay }))),
  );

  t.deepEqual(rejects, [
    { line: 4, column: 'arr_delay_min', value: '-1441', reason: 'invalid_arr_delay' },
    { line: 6, column: 'arr_delay_min', value: '10081', reason: 'invalid_arr_delay' },
  ]);
});

test('lines that do not split into columns are rejected, and later lines keep their numbers', async (t) => {
  const [, flight = ''] = toCsv(goodRows(1)).split('\n');
  const bad = toCsv([aFlight({ DEST: '?' })]).split('\n')[1] ?? '';
  const lines = toCsv(goodRows(500)).trimEnd().split('\n');
  lines[10] = 'DL,JFK';
  lines[11] = `${flight},one,two`;
  lines[20] = '';
  lines[21] = bad;
  lines[30] = `"DL"x${flight}`;
  const { lakeDir, report } = await extractToLake(t, await aFile(t, lines.join('\n')));

  t.deepEqual(report.undatedRejects, { broken_quotes: 1, wrong_column_count: 2 });
  t.like(report, { rowsRead: 499, rowsLoaded: 495, rowsRejected: 4 });
  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'rejects'), [
    { line: 22, column: 'dest', value: '?', reason: 'invalid_dest' },
  ]);
  t.deepEqual(await readQuarantine(report.notes[0]), [
    { line: 11, column: null, value: 'DL,JFK', reason: 'wrong_column_count' },
    { line: 12, column: null, value: `${flight},one,two`, reason: 'wrong_column_count' },
    { line: 31, column: null, value: `"DL"x${flight}`, reason: 'broken_quotes' },
  ]);
});

test('a file with too many undated rows is refused, and the lake does not change', async (t) => {
  const lakeDir = await aFolder(t);
  const file = await aFile(t, toCsv([...goodRows(50), aFlight({ FL_DATE: '2018-02-30' })]));

  const error = await t.throwsAsync(extractToLake(t, file, { lakeDir }), {
    instanceOf: SourceFormatError,
  });

  t.regex(error?.message ?? '', /: 1 of 51 rows have no valid month \(invalid_date 1\); see /);
  t.deepEqual(await readQuarantine(error?.message), [
    { line: 52, column: 'flight_date', value: '2018-02-30', reason: 'invalid_date' },
  ]);
  t.is(await readManifest(lakeDir, '2018-07'), undefined);
});

test('a bad date counts in the month given by other columns', async (t) => {
  const rows = numberFlights([...goodRows(100), aFlight({ FL_DATE: '2018-07-32' })]);
  const csv = toCsv(rows.map((row) => ({ YEAR: '2018', MONTH: '7', ...row })));
  const { lakeDir, report } = await extractToLake(t, await aFile(t, csv));

  t.deepEqual(report.undatedRejects, {});
  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'rejects'), [
    { line: 102, column: 'flight_date', value: '2018-07-32', reason: 'invalid_date' },
  ]);
});

test('a future flight is rejected and creates no month', async (t) => {
  // Extracted on 1 November 2026; beyond the date line it is already 2 November.
  const futureFlights = [aFlight({ FL_DATE: '2026-11-02' }), aFlight({ FL_DATE: '2026-11-03' })];
  const rows = [
    ...goodRows(100),
    ...numberFlights(Array.from({ length: 100 }, () => futureFlights[0]!)),
    futureFlights[1]!,
  ];
  const { lakeDir, report } = await extractToLake(t, await aFile(t, toCsv(rows)));

  t.deepEqual(
    report.months.map(({ month, rowsLoaded, outcome }) => [month, rowsLoaded, outcome]),
    [
      ['2018-07', 100, 'written'],
      ['2026-11', 100, 'written'],
    ],
  );
  t.deepEqual(report.undatedRejects, { future_date: 1 });
  t.deepEqual(await readQuarantine(report.notes[0]), [
    { line: 202, column: 'flight_date', value: '2026-11-03', reason: 'future_date' },
  ]);
  t.deepEqual(
    (await readManifests(lakeDir)).map(({ month }) => month),
    ['2018-07', '2026-11'],
  );
});

test('future months are refused if the year is given', async (t) => {
  const csv =
    'op_carrier,fl_month,origin,dest,crs_dep_time,arr_delay,cancelled\nDL,7,JFK,LAX,800,0,0\n';
  const refusal = await t.throwsAsync(extractToLake(t, await aFile(t, csv), { year: 2081 }), {
    instanceOf: SourceFormatError,
  });
  t.regex(refusal?.message ?? '', /1 of 1 rows have no valid month \(future_date 1\)/);
  t.deepEqual(await readQuarantine(refusal?.message), [
    { line: 2, column: 'month', value: '2081-7', reason: 'future_date' },
  ]);
});

test('a refused month leaves the current month unchanged', async (t) => {
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(goodRows(3))));
  const before = await readManifest(lakeDir, '2018-07');

  const { report } = await extractToLake(t, await aFile(t, toCsv([aFlight({ DEST: '?' })])), {
    lakeDir,
  });

  t.is(report.months[0]?.outcome, 'refused');
  t.like(report, { rowsRead: 1, rowsLoaded: 0, rowsRejected: 1 });
  t.deepEqual(await readManifest(lakeDir, '2018-07'), before);
  const quarantine = /see (.*)$/.exec(report.notes[0] ?? '')?.[1] ?? '';
  t.is(path.dirname(quarantine), monthDir(lakeDir, '2018-07'));
});

test('rejects of a Parquet file have the row number, from 1', async (t) => {
  const file = await aParquet(
    t,
    `select 'DL' as op_carrier, case when n = 150 then 13 else 7 end as fl_month, 'JFK' as origin,
       case when n = 200 then 'LA' else 'LAX' end as dest, 800 as crs_dep_time, 0 as arr_delay, 0 as cancelled
     from range(1, 301) as numbers (n)`,
  );
  const { lakeDir, report } = await extractToLake(t, file, { year: 2018 });

  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'rejects'), [
    { line: 200, column: 'dest', value: 'LA', reason: 'invalid_dest' },
  ]);
  t.deepEqual(await readQuarantine(report.notes[0]), [
    { line: 150, column: 'month', value: '13', reason: 'invalid_month' },
  ]);
});

test('an unknown airline name is rejected with that name', async (t) => {
  const csv = [
    'Origin,Destination,Airline,Year,Month,Scheduled Departure Time,Departure Delay Time (mins),Arrival Delay Time (mins),Flight Cancellation',
    'ABE,ATL,Pan Am,2018,1,600,-6,-9,0',
  ].join('\n');
  const { report } = await extractToLake(t, await aFile(t, csv));

  t.deepEqual(await readQuarantine(report.notes[0]), [
    { line: 2, column: 'carrier', value: 'Pan Am', reason: 'unknown_airline_name' },
  ]);
});
