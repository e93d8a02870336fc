import test, { type ExecutionContext } from 'ava';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import { aFile, aParquet, extractToLake, lakeRows, toCsv } from '../../helpers/flight-files.ts';

/** A flight from Heathrow to Paris that left 5 minutes late and arrived 35 minutes late. */
const ROW = {
  flight_date: '2025-03-05',
  airline: 'AF',
  flight: '1681',
  origin: 'LHR',
  dest: 'CDG',
  scheduled_departure: '08:15',
  scheduled_arrival: '10:35',
  actual_departure: '08:20',
  actual_arrival: '11:10',
  cancelled: '0',
  diverted: '0',
};
type Changes = Partial<typeof ROW>;

/** Loads one row. Returns its delays at departure and at arrival, or the reason of its reject. */
async function load(t: ExecutionContext, changes: Changes) {
  const file = await aFile(t, toCsv([{ ...ROW, ...changes }]));
  const { lakeDir, report } = await extractToLake(t, file);
  const own = providerLakeDir(lakeDir, 'own');
  const [flight] = await lakeRows(own, '2025-03', 'flights', 'dep_delay_min, arr_delay_min');
  return flight ? Object.values(flight) : Object.keys(report.months[0]?.rejects ?? {});
}

/** Loads a file. Returns each sum's delay basis, flights, cancellations, diversions and completed flights. */
async function sumsOf(t: ExecutionContext, file: string) {
  const { lakeDir } = await extractToLake(t, file);
  const own = providerLakeDir(lakeDir, 'own');
  const columns = 'delay_basis, flight_count, cancelled_count, diverted_count, completed_count';
  return (await lakeRows(own, '2025-03', 'routeHours', columns)).map((row) => Object.values(row));
}

test('flags are numbers of any type or words, and other values are rejected', async (t) => {
  const file = await aParquet(
    t,
    `select '2025-03-05' as flight_date, 'AF' as airline, flight, 'LHR' as origin, 'CDG' as dest,
       '08:15' as scheduled_departure, '10:35' as scheduled_arrival, '11:10' as actual_arrival, cancelled, diverted
     from (values ('1', 1.0::double, true), ('2', 0.0, true), ('3', null, false)) as rows (flight, cancelled, diverted)`,
  );
  t.deepEqual(await sumsOf(t, file), [['arrival', 3, 1, 1, 1]]);
  t.deepEqual(await load(t, { cancelled: 'Yes', diverted: 'no' }), [5, 35]);
  t.deepEqual(await load(t, { cancelled: 'maybe' }), ['invalid_cancelled']);
  t.deepEqual(await load(t, { cancelled: '2' }), ['invalid_cancelled']);
  t.deepEqual(await load(t, { diverted: 'x' }), ['invalid_diverted']);
});

test('a flight counts by the end with a planned and an actual time', async (t) => {
  const sums = async (changes: Changes) =>
    sumsOf(t, await aFile(t, toCsv([{ ...ROW, ...changes }])));
  t.deepEqual(await sums({}), [['arrival', 1, 0, 0, 1]]);
  t.deepEqual(await sums({ actual_arrival: '' }), [['departure', 1, 0, 0, 1]]);
  t.deepEqual(await sums({ scheduled_arrival: '' }), [['departure', 1, 0, 0, 1]]);
  t.deepEqual(await sums({ scheduled_departure: '' }), [['arrival', 1, 0, 0, 1]]);
  const unknown = { actual_departure: '', actual_arrival: '' };
  t.deepEqual(await sums({ ...unknown, cancelled: '1' }), [['arrival', 1, 1, 0, 0]]);
});

test('a flight with actual times only at the other end is rejected', async (t) => {
  const departure = { scheduled_arrival: '', actual_departure: '' };
  t.deepEqual(await load(t, departure), ['no_planned_time']);
  t.deepEqual(await load(t, { scheduled_departure: '', actual_arrival: '' }), ['no_planned_time']);
  t.deepEqual(await load(t, { ...departure, diverted: '1' }), [null, null]);
});

test('a planned arrival without a date is on its day', async (t) => {
  const night = {
    scheduled_departure: '23:00',
    actual_departure: '23:05',
    scheduled_arrival: '06:00',
  };
  t.deepEqual(await load(t, { ...night, actual_arrival: '2025-03-06T06:00:00' }), [5, 0]);
  t.deepEqual(await load(t, { ...night, actual_arrival: '2025-03-06T20:00:00' }), [5, 840]);
  t.deepEqual(await load(t, { ...night, actual_arrival: '05:50' }), [5, -10]);
  t.deepEqual(await load(t, { actual_arrival: '2025-03-06T10:35:00' }), [5, 1440]);
  // Only the actual arrival has a date.
  const landing = { ...night, scheduled_departure: '', actual_departure: '' };
  t.deepEqual(await load(t, { ...landing, actual_arrival: '2025-03-06 06:10' }), [null, 10]);
  // Over the date line, a flight lands before it leaves.
  const east = {
    origin: 'NRT',
    dest: 'HNL',
    scheduled_departure: '00:30',
    scheduled_arrival: '13:00',
  };
  t.deepEqual(
    await load(t, { ...east, actual_departure: '00:30', actual_arrival: '2025-03-04 13:20' }),
    [0, 20],
  );
});

test('dates may be written as BTS writes them', async (t) => {
  t.deepEqual(await load(t, { flight_date: '3/5/2025' }), [5, 35]);
});

test('an airport that is not known is rejected where its time zone is needed', async (t) => {
  const offsets = {
    scheduled_departure: '2025-03-05T08:15:00+00:00',
    actual_departure: '2025-03-05T08:20:00Z',
    scheduled_arrival: '2025-03-05T10:35:00+01:00',
    actual_arrival: '2025-03-05T11:10:00+01:00',
  };
  t.deepEqual(await load(t, offsets), [5, 35]);
  t.deepEqual(await load(t, { ...offsets, origin: 'ZZZ' }), ['unknown_airport']);
  t.deepEqual(await load(t, { ...offsets, dest: 'ZZZ' }), ['unknown_airport']);
  t.deepEqual(await load(t, { origin: 'ZZZ', scheduled_departure: '' }), ['unknown_airport']);
  t.deepEqual(await load(t, { origin: 'ZZZ' }), [5, 35]);
});
