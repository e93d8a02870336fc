import test from 'ava';
import { lakeFilePath, readManifest } from '../../../warehouse/lake/lake.ts';
import { readOutcomes } from '../../../warehouse/build/as-of.ts';
import { loadMonth } from '../../../warehouse/build/load.ts';
import { aFile, extractToLake, lakeRows, parquetRows, toCsv } from '../../helpers/flight-files.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

/** A departure without times: DL from JFK to LAX on 4 July 2018, 20 minutes late. */
function aDeparture(changes: Record<string, string> = {}): Record<string, string> {
  return {
    FlightDate: '2018-07-04',
    Airline: 'Delta Air Lines Inc.',
    Origin: 'JFK',
    Dest: 'LAX',
    DepDelay: '20',
    ...changes,
  };
}

/** A flight with a weekday and an hour: a Wednesday of July 2018. */
function aWeekdayFlight(changes: Record<string, string> = {}): Record<string, string> {
  return {
    YEAR: '2018',
    MONTH: '7',
    DAY_OF_WEEK: '3',
    OP_UNIQUE_CARRIER: 'DL',
    ORIGIN: 'JFK',
    DEST: 'LAX',
    CRS_DEP_TIME: '800',
    ARR_DELAY_NEW: '45',
    CANCELLED: '0',
    DIVERTED: '0',
    ...changes,
  };
}

test('a departure without a time counts for its route and day, without an hour', async (t) => {
  const rows = [aDeparture(), aDeparture({ DepDelay: '31' }), aDeparture({ DepDelay: '' })];
  const { lakeDir, report } = await extractToLake(t, await aFile(t, toCsv(rows)));
  t.is(report.source.form, 'named_departures');
  t.is((await readManifest(lakeDir, '2018-07'))?.delayBasis, 'departure');
  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'routeHours'), [
    {
      month: '2018-07-01',
      carrier: 'DL',
      brand: null,
      origin: 'JFK',
      dest: 'LAX',
      crs_dep_hour: null,
      delay_basis: 'departure',
      flight_count: 3,
      cancelled_count: 1,
      diverted_count: 0,
      completed_count: 2,
      delayed15_count: 2,
      delayed_count: 1,
      delayed45_count: 0,
      delayed60_count: 0,
      delayed90_count: 0,
      delayed120_count: 0,
      delayed180_count: 0,
      delayed360_count: 0,
      delayed_min_sum: 31,
    },
  ]);
  t.deepEqual(
    await lakeRows(lakeDir, '2018-07', 'airportDays', 'airport, flight_count, delayed_count'),
    [{ airport: 'JFK', flight_count: 3, delayed_count: 1 }],
  );
  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'airportHours'), []);
});

test('names of the marketing table mean the first airline of a code', async (t) => {
  const names = [
    'Comair Inc.',
    'Capital Cargo International',
    'GoJet Airlines, LLC d/b/a United Express',
    'Republic Airlines',
  ];
  const rows = names.map((name) => aDeparture({ Airline: `"${name}"` }));
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows)));
  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'flights', 'carrier'), [
    { carrier: 'OH' },
    { carrier: 'PT' },
    { carrier: 'G7' },
    { carrier: 'YX' },
  ]);
});

test('an airline of an unknown name is rejected by row', async (t) => {
  const good = Array.from({ length: 100 }, () => aDeparture());
  const file = await aFile(t, toCsv([...good, aDeparture({ Airline: 'Oceanic Airlines' })]));
  const { lakeDir } = await extractToLake(t, file);
  const manifest = await readManifest(lakeDir, '2018-07');
  t.deepEqual(await parquetRows(lakeFilePath(lakeDir, '2018-07', manifest!.files.rejects!)), [
    { line: 102, column: 'carrier', value: 'Oceanic Airlines', reason: 'unknown_airline_name' },
  ]);
});

test('a file with times is not read in the form without times', async (t) => {
  const timed = {
    ...aDeparture(),
    CRSDepTime: '0800',
    ArrDelay: '5',
    Cancelled: '0',
    Diverted: '0',
  };
  const file = await aFile(t, toCsv([{ ...timed, IATA_CODE_Reporting_Airline: 'DL' }]));
  t.is((await extractToLake(t, file)).report.source.form, 'bts_reporting');
});

test('a flight dated by weekday counts for its weekday, hours and month', async (t) => {
  const rows = [
    aWeekdayFlight(),
    aWeekdayFlight({ ARR_DELAY_NEW: '0' }),
    aWeekdayFlight({ DAY_OF_WEEK: '7', ARR_DELAY_NEW: '', CANCELLED: '1' }),
    aWeekdayFlight({ DAY_OF_WEEK: '7', ARR_DELAY_NEW: '', DIVERTED: '1' }),
  ];
  const { lakeDir, report } = await extractToLake(t, await aFile(t, toCsv(rows)));
  t.is(report.source.form, 'bts_weekdays');
  t.deepEqual(
    await lakeRows(
      lakeDir,
      '2018-07',
      'routeHours',
      'crs_dep_hour, flight_count, cancelled_count, diverted_count, completed_count, delayed_count',
    ),
    [
      {
        crs_dep_hour: 8,
        flight_count: 4,
        cancelled_count: 1,
        diverted_count: 1,
        completed_count: 2,
        delayed_count: 1,
      },
    ],
  );
  t.deepEqual(
    await lakeRows(
      lakeDir,
      '2018-07',
      'airportHours',
      'airport, weekday, local_hour, crs_dep_count, crs_arr_count',
    ),
    [
      { airport: 'JFK', weekday: 3, local_hour: 8, crs_dep_count: 2, crs_arr_count: null },
      { airport: 'JFK', weekday: 7, local_hour: 8, crs_dep_count: 2, crs_arr_count: null },
    ],
  );
  t.deepEqual(await lakeRows(lakeDir, '2018-07', 'airportDays'), []);
});

test('an invalid weekday is rejected', async (t) => {
  const good = Array.from({ length: 100 }, () => aWeekdayFlight());
  const file = await aFile(t, toCsv([...good, aWeekdayFlight({ DAY_OF_WEEK: '8' })]));
  t.deepEqual((await extractToLake(t, file)).report.months[0]?.rejects, { invalid_weekday: 1 });
});

test('a month dated by weekdays has the days of each weekday in the calendar', async (t) => {
  const { lakeDir } = await extractToLake(
    t,
    await aFile(t, toCsv([aWeekdayFlight({ DAY_OF_WEEK: '2' }), aWeekdayFlight()])),
  );
  const db = await createWarehouse(t);
  await loadMonth(db, lakeDir, '2018-07');
  await db.runFile('intermediate/int_month_weights');
  await db.runFile('intermediate/int_airport_hour_loads');
  // July 2018 began on a Sunday: five Tuesdays, four Wednesdays.
  t.deepEqual(
    await db.rows(
      'select weekday, day_sum::integer as days from intermediate.int_airport_hour_loads order by all',
    ),
    [
      { weekday: 2, days: 5 },
      { weekday: 3, days: 4 },
    ],
  );
});

test('a back-test dates flights without a day to their weekday in the middle of the month', async (t) => {
  const rows = [aWeekdayFlight(), aWeekdayFlight({ DAY_OF_WEEK: '7' })];
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows)));
  const outcomes = await readOutcomes(lakeDir, '2018-07-01', '2018-08-01');
  t.deepEqual(outcomes.map((one) => one.flight_date).toSorted(), ['2018-07-15', '2018-07-18']);
  t.true(outcomes.every((one) => one.dated_by === 'weekday'));
});
