import test, { type ExecutionContext } from 'ava';
import { HistoryMissingError } from '../../../warehouse/errors.ts';
import { knowledgeAsOf, readOutcomes } from '../../../warehouse/build/as-of.ts';
import { sha256 } from '../../../warehouse/ground/hashes.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';
import { aCause } from '../../helpers/delay-causes.ts';
import { aFile, aFlight, aParquet, extractToLake, toCsv } from '../../helpers/flight-files.ts';

/** A lake with two flights a day from JFK to LAX, of AA and DL. `delays` has the delay of AA's flight on each date. */
async function aLake(t: ExecutionContext, delays: Record<string, number>): Promise<string> {
  const rows = Object.entries(delays).flatMap(([date, delay]) =>
    ['AA', 'DL'].map((carrier) =>
      aFlight({
        FL_DATE: date,
        OP_UNIQUE_CARRIER: carrier,
        ORIGIN: 'JFK',
        DEST: 'LAX',
        ARR_DELAY: String(carrier === 'AA' ? delay : 0),
        DEP_DELAY: '0',
      }),
    ),
  );
  const { lakeDir } = await extractToLake(t, await aFile(t, toCsv(rows)));
  return lakeDir;
}

/** Hashes of the files of a store, by name. AVA takes seconds to compare a megabyte. */
function fileHashes({ files }: StoreFiles): Record<string, string> {
  return Object.fromEntries([...files].map(([name, bytes]) => [name, sha256(bytes)]));
}

const PAST = { '2018-05-01': 40, '2018-05-02': 0, '2018-06-01': 50, '2018-06-02': 10 };

test('the data known on a day do not depend on flights of that day or later', async (t) => {
  const calm = await aLake(t, { ...PAST, '2018-07-01': 0, '2018-08-01': 0 });
  const stormy = await aLake(t, { ...PAST, '2018-07-01': 300, '2018-08-01': 300 });
  const before = await knowledgeAsOf([calm], '2018-07-01');
  const after = await knowledgeAsOf([stormy], '2018-07-01');
  const { dataSha256: _calm, ...training } = before.training;
  const { dataSha256: _stormy, ...trainingAfter } = after.training;
  t.deepEqual(training, trainingAfter);
  t.deepEqual(training.months, ['2018-05', '2018-06']);
  t.deepEqual(fileHashes(before.store), fileHashes(after.store));
});

test('the data known on a day depend on flights of the day before', async (t) => {
  const calm = await aLake(t, { ...PAST, '2018-07-01': 0 });
  const lateLake = await aLake(t, { ...PAST, '2018-06-02': 60, '2018-07-01': 0 });
  const before = await knowledgeAsOf([calm], '2018-07-01');
  const after = await knowledgeAsOf([lateLake], '2018-07-01');
  t.notDeepEqual(before.training.columns, after.training.columns);
});

test('the data known on a day do not depend on months of the delay-cause table published or revised later', async (t) => {
  const flights = { ...PAST, '2018-07-01': 0 };
  const table = (late: { april: string; may: string; july: string }) => [
    aCause({ year: '2018', month: '4', carrier: 'AA', airport: 'LAX', arr_del15: late.april }),
    aCause({ year: '2018', month: '5', carrier: 'AA', airport: 'LAX', arr_del15: late.may }),
    aCause({ year: '2018', month: '7', carrier: 'AA', airport: 'LAX', arr_del15: late.july }),
  ];
  const readKnown = async (late: Parameters<typeof table>[0]) => {
    const lakeDir = await aLake(t, flights);
    await extractToLake(t, await aFile(t, toCsv(table(late)), 'table.csv'), { lakeDir });
    const { store, training } = await knowledgeAsOf([lakeDir], '2018-07-15');
    return { columns: training.columns, files: fileHashes(store) };
  };
  const before = await readKnown({ april: '40', may: '40', july: '40' });
  t.deepEqual(before, await readKnown({ april: '40', may: '190', july: '190' }));
  t.notDeepEqual(before, await readKnown({ april: '190', may: '40', july: '40' }));
});

test('a day is unusual if the newest month of the delay-cause table lacks over a fifth of its flights, even if newer flights exist', async (t) => {
  const usual = async (flights: string) => {
    const lakeDir = await aLake(t, { ...PAST, '2018-07-01': 0 });
    const table = [
      aCause({ year: '2017', month: '4', arr_flights: '205', arr_cancelled: '5' }),
      aCause({ year: '2018', month: '4', arr_flights: flights, arr_cancelled: '5' }),
    ].map((row) => ({ ...row, arr_diverted: '0' }));
    await extractToLake(t, await aFile(t, toCsv(table), 'table.csv'), { lakeDir });
    return (await knowledgeAsOf([lakeDir], '2018-07-15')).isUsual;
  };
  t.true(await usual('165'));
  t.false(await usual('164'));
});

test('a day before the first flight has no history', async (t) => {
  const lake = await aLake(t, PAST);
  await t.throwsAsync(knowledgeAsOf([lake], '2018-05-01'), {
    instanceOf: HistoryMissingError,
    message: 'the lake has no flights before 2018-05-01 to learn from',
  });
});

test('in the month of the day, only earlier flights are known', async (t) => {
  const knownDelays = { '2018-05-01': 40, '2018-06-01': 50 };
  const wholeLake = await aLake(t, knownDelays);
  const cut = await aLake(t, { ...knownDelays, '2018-06-02': 300, '2018-06-30': 300 });
  const expected = await knowledgeAsOf([wholeLake], '2018-06-02');
  const { training, store } = await knowledgeAsOf([cut], '2018-06-02');
  t.deepEqual(training.months, ['2018-05', '2018-06']);
  t.deepEqual(training.columns, expected.training.columns);
  t.deepEqual(training.outlook, expected.training.outlook);
  t.deepEqual(fileHashes(store), fileHashes(expected.store));
});

test('a month without dates is known after its end', async (t) => {
  const months = await aParquet(
    t,
    `select 'DL' as op_carrier, unnest([5, 6]) as fl_month, 'JFK' as origin, 'LAX' as dest,
       '0800' as crs_dep_time, '40' as arr_delay, '0' as cancelled`,
  );
  const { lakeDir } = await extractToLake(t, months, { year: 2018 });
  t.deepEqual((await knowledgeAsOf([lakeDir], '2018-06-20')).training.months, ['2018-05']);
  t.deepEqual((await knowledgeAsOf([lakeDir], '2018-07-01')).training.months, [
    '2018-05',
    '2018-06',
  ]);
});

test('an outcome states whether its day is known', async (t) => {
  const dated = await aLake(t, { '2018-06-01': 40 });
  const months = await aParquet(
    t,
    `select 'DL' as op_carrier, 6 as fl_month, 'JFK' as origin, 'LAX' as dest,
       '0800' as crs_dep_time, '40' as arr_delay, '0' as cancelled`,
  );
  const { lakeDir } = await extractToLake(t, months, { year: 2018 });
  const datedBy = async (lake: string) =>
    (await readOutcomes(lake, '2018-06-01', '2018-07-01')).map((one) => one.dated_by);
  t.deepEqual(await datedBy(dated), ['day', 'day']);
  t.deepEqual(await datedBy(lakeDir), ['month']);
});

test('later days of the seed’s calendar are not known', async (t) => {
  const lake = await aLake(t, { '2016-11-01': 40 });
  const { training } = await knowledgeAsOf([lake], '2016-12-01');
  t.is(training.calendarDays, 0);
});

test('a month comes from the first lake that has any flights of it', async (t) => {
  const first = await aLake(t, { '2018-06-01': 40, '2018-07-01': 40 });
  const second = await aLake(t, { '2018-05-01': 0, '2018-06-01': 0 });
  const { training } = await knowledgeAsOf([first, second], '2018-07-01');
  t.deepEqual(training.months, ['2018-05', '2018-06']);
  t.is(
    training.columns.delayed_count?.reduce((sum, count) => sum + count, 0),
    1,
  );
});

test('outcomes count the flights of the period by date and hour', async (t) => {
  const lake = await aLake(t, PAST);
  const outcomes = await readOutcomes(lake, '2018-05-02', '2018-06-02');
  t.deepEqual(
    outcomes.map(({ carrier, flight_date, completed_count, delayed_count }) => [
      carrier,
      flight_date,
      completed_count,
      delayed_count,
    ]),
    [
      ['AA', '2018-05-02', 1, 0],
      ['DL', '2018-05-02', 1, 0],
      ['AA', '2018-06-01', 1, 1],
      ['DL', '2018-06-01', 1, 0],
    ],
  );
});

test('a part of a history gives the same store as a history of only that part', async (t) => {
  const wholeLake = await aLake(t, PAST);
  const rows = (carrier: string, date: string) =>
    aFlight({ FL_DATE: date, OP_UNIQUE_CARRIER: carrier, ARR_DELAY: '0', DEP_DELAY: '0' });
  const { lakeDir } = await extractToLake(
    t,
    await aFile(t, toCsv([rows('DL', '2018-06-01'), rows('DL', '2018-06-02')])),
  );
  const part = { from: '2018-06-01', carriers: ['DL'], origins: ['JFK'] };
  const { store } = await knowledgeAsOf([wholeLake], '2018-07-01', part);
  const partOnly = await knowledgeAsOf([lakeDir], '2018-07-01');
  t.deepEqual(fileHashes(store), fileHashes(partOnly.store));
  await t.throwsAsync(knowledgeAsOf([wholeLake], '2018-07-01', { origins: ['LAX'] }), {
    instanceOf: HistoryMissingError,
  });
});
