import path from 'node:path';
import test from 'ava';
import { BTS_COLUMNS } from '../../../bench/generate/line.ts';
import { writeBtsMonth } from '../../../bench/generate/bts-month.ts';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { aReportedFlight, btsCsv } from '../../helpers/bts-files.ts';
import { aFile, aFolder, extractToLake, lakeRows } from '../../helpers/flight-files.ts';

const OUTCOME =
  'dep_time, arr_time, dep_delay_min, arr_delay_min, is_cancelled, cancellation_code, is_diverted';

test('a flight of the 109 columns becomes one row with names, units and types of the lake', async (t) => {
  const { lakeDir, report } = await extractToLake(t, await aFile(t, btsCsv([aReportedFlight()])));

  t.is(BTS_COLUMNS.length, 109);
  t.is(report.source.form, 'bts_reporting');
  t.deepEqual(await lakeRows(lakeDir, '2025-03', 'flights'), [
    {
      flight_date: '2025-03-05',
      carrier: 'DL',
      flight_number: '423',
      codeshares: null,
      tail_number: 'N101DL',
      origin: 'JFK',
      dest: 'LAX',
      crs_dep_time: 815,
      crs_arr_time: 1145,
      dep_time: 820,
      arr_time: 1143,
      dep_delay_min: 5,
      arr_delay_min: -2,
      is_cancelled: false,
      cancellation_code: null,
      is_diverted: false,
      distance_mi: 2475,
      brand: null,
      brand_flight_number: null,
      weekday: 3,
    },
  ]);
});

test('cancelled, diverted and midnight flights keep their values', async (t) => {
  const noArrival = { ArrTime: '""', ArrDelay: '' };
  const rows = [
    aReportedFlight({
      ...noArrival,
      DepTime: '""',
      DepDelay: '',
      Cancelled: '1.00',
      CancellationCode: '"B"',
    }),
    aReportedFlight({
      ...noArrival,
      Diverted: '1.00',
      Flight_Number_Reporting_Airline: '"424"',
    }),
    aReportedFlight({ ArrTime: '"2400"', Flight_Number_Reporting_Airline: '"425"' }),
  ];
  const { lakeDir } = await extractToLake(t, await aFile(t, btsCsv(rows)));
  const completedFlight = {
    dep_time: 820,
    dep_delay_min: 5,
    is_cancelled: false,
    cancellation_code: null,
  };

  t.deepEqual(await lakeRows(lakeDir, '2025-03', 'flights', OUTCOME), [
    {
      dep_time: null,
      arr_time: null,
      dep_delay_min: null,
      arr_delay_min: null,
      is_cancelled: true,
      cancellation_code: 'B',
      is_diverted: false,
    },
    { ...completedFlight, arr_time: null, arr_delay_min: null, is_diverted: true },
    { ...completedFlight, arr_time: 0, arr_delay_min: -2, is_diverted: false },
  ]);
});

test('the carrier is the IATA code, because the reporting code may have a suffix', async (t) => {
  const rows = [aReportedFlight({ Reporting_Airline: '"PA (1)"' })];
  const { lakeDir } = await extractToLake(t, await aFile(t, btsCsv(rows)));

  t.deepEqual(await lakeRows(lakeDir, '2025-03', 'flights', 'carrier'), [{ carrier: 'DL' }]);
});

test('months with the column names used before 2018 are read the same way', async (t) => {
  const former: Record<string, string> = {
    Reporting_Airline: 'UniqueCarrier',
    DOT_ID_Reporting_Airline: 'AirlineID',
    IATA_CODE_Reporting_Airline: 'Carrier',
    Tail_Number: 'TailNum',
    Flight_Number_Reporting_Airline: 'FlightNum',
  };
  const columns = BTS_COLUMNS.map((name) => former[name] ?? name);
  const row = Object.fromEntries(
    Object.entries(aReportedFlight()).map(([name, value]) => [former[name] ?? name, value]),
  );
  const { lakeDir } = await extractToLake(t, await aFile(t, btsCsv([row], { columns })));

  t.deepEqual(
    await lakeRows(lakeDir, '2025-03', 'flights', 'carrier, flight_number, tail_number'),
    [{ carrier: 'DL', flight_number: '423', tail_number: 'N101DL' }],
  );
});

test('the refusal names a missing column', async (t) => {
  const columns = BTS_COLUMNS.map((name) => (name === 'ArrDelay' ? 'ArrivalDelay' : name));
  const file = await aFile(t, btsCsv([aReportedFlight()], { columns }));

  const error = await t.throwsAsync(extractToLake(t, file), { instanceOf: SourceFormatError });

  t.is(
    error?.message,
    'flights.csv: unknown header; the most similar file form is bts_reporting, but these columns are missing: arrdelay',
  );
});

test('every valid row of a synthetic month is loaded', async (t) => {
  const file = path.join(await aFolder(t), 'month.csv');
  const synthetic = await writeBtsMonth(file, { month: '2025-03', rows: 5000, badRowRate: 0.005 });
  const { report } = await extractToLake(t, file);

  t.true(synthetic.badRows > 10);
  t.like(report, {
    rowsRead: 5000,
    rowsLoaded: 5000 - synthetic.badRows,
    rowsRejected: synthetic.badRows,
    months: [{ month: '2025-03', outcome: 'written' }],
  });
});
