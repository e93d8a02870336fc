import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import type { MonthManifest } from '../../../warehouse/lake/lake.ts';
import { BY_MONTH, fakeDeps } from './helpers/fake-extract.ts';

const silent = () => undefined;

test('a month with exactly 1 % rejected rows is written, a month with more is refused', async (t) => {
  const { calls, deps } = fakeDeps({
    months: [
      { month: '2017-01', rowsRead: 1000, rejects: { invalid_origin: 4, invalid_dest: 6 } },
      { month: '2017-02', rowsRead: 1000, rejects: { invalid_origin: 11 } },
    ],
  });

  const report = await extractFile({ path: '/flights.csv' }, deps, silent);

  t.deepEqual(calls, ['stage nycflights', 'write 2017-01', 'quarantine 2017-02', 'close']);
  t.deepEqual(report, {
    source: { name: 'flights.csv', sha256: 'abc', bytes: 100, form: 'nycflights' },
    rowsRead: 2000,
    rowsLoaded: 1979,
    rowsRejected: 21,
    undatedRejects: {},
    months: [
      {
        month: '2017-01',
        rowsRead: 1000,
        rowsLoaded: 990,
        rowsRejected: 10,
        rejects: { invalid_origin: 4, invalid_dest: 6 },
        outcome: 'written',
      },
      {
        month: '2017-02',
        rowsRead: 1000,
        rowsLoaded: 989,
        rowsRejected: 11,
        rejects: { invalid_origin: 11 },
        outcome: 'refused',
        why: '11 of 1000 rows are rejected (invalid_origin 11)',
      },
    ],
    notes: [
      '2017-02 refused: 11 of 1000 rows are rejected (invalid_origin 11); see rejects.parquet',
    ],
  });
});

test('a month with at least 90 % of the flights in the lake is written, a month with fewer is refused', async (t) => {
  const { calls, deps } = fakeDeps({
    months: [
      { month: '2017-01', rowsRead: 900, rejects: {} },
      { month: '2017-02', rowsRead: 899, rejects: {} },
      // For aggregates, flights are compared, not rows.
      { month: '2017-03', rowsRead: 10, flights: 5000, rejects: {} },
      { month: '2017-04', rowsRead: 1, rejects: {} },
    ],
    lakeFlights: { '2017-01': 1000, '2017-02': 1000, '2017-03': 1000 },
  });

  const report = await extractFile({ path: '/flights.csv' }, deps, silent);

  t.deepEqual(calls, [
    'stage nycflights',
    'write 2017-01',
    'write 2017-03',
    'write 2017-04',
    'close',
  ]);
  const why = 'it has 899 flights, the lake 1000; FORCE=1 replaces the month anyway';
  t.like(report.months[1], { month: '2017-02', outcome: 'refused', why });
  t.deepEqual(report.notes, [`2017-02 refused: ${why}`]);
});

test('rows without a month are counted separately, and above 1 % the file is refused', async (t) => {
  const month = { month: '2017-01', rowsRead: 990, rejects: {} };
  const edge = fakeDeps({ months: [month], undatedRejects: { invalid_date: 10 } });
  const tooMany = fakeDeps({ months: [month], undatedRejects: { invalid_date: 11 } });

  const report = await extractFile({ path: '/flights.csv' }, edge.deps, silent);
  const error = await t.throwsAsync(extractFile({ path: '/flights.csv' }, tooMany.deps, silent), {
    instanceOf: SourceFormatError,
  });

  t.like(report, { rowsRead: 1000, rowsLoaded: 990, rowsRejected: 10 });
  t.deepEqual(report.undatedRejects, { invalid_date: 10 });
  t.is(
    error?.message,
    'flights.csv: 11 of 1001 rows have no valid month (invalid_date 11); see rejects.parquet',
  );
  t.deepEqual(tooMany.calls, ['stage nycflights', 'quarantine undated', 'close']);
});

test('a row that is neither loaded nor rejected fails the file before anything is written', async (t) => {
  const { calls, deps } = fakeDeps({
    months: [{ month: '2017-01', rowsRead: 999, rejects: {} }],
    source: { rowCount: 1000 },
  });

  const error = await t.throwsAsync(extractFile({ path: '/flights.csv' }, deps, silent), {
    instanceOf: SourceFormatError,
  });

  t.regex(error?.message ?? '', /has 1000 rows, but 999 were read/);
  t.deepEqual(calls, ['stage nycflights', 'close']);
});

test('an unknown header is refused with the missing columns', async (t) => {
  const { calls, deps } = fakeDeps({ source: { header: ['FL_DATE', 'ORIGIN', 'DEST'] } });

  const error = await t.throwsAsync(extractFile({ path: '/flights.csv' }, deps, silent), {
    instanceOf: SourceFormatError,
  });

  t.is(
    error?.message,
    'flights.csv: unknown header; the most similar file form is bts_short, but these columns are missing: ' +
      'op_unique_carrier or op_carrier, crs_dep_time, arr_delay or arr_delay_new, cancelled',
  );
  t.deepEqual(calls, []);
});

test('the refusal of a file that is not a table of flights describes the file', async (t) => {
  const refusal = async (header: string[], delimiter: ',' | ';' = ',') => {
    const { deps } = fakeDeps({ source: { header, delimiter } });
    const refused = await t.throwsAsync(extractFile({ path: '/flights.csv' }, deps, silent));
    return refused?.message;
  };
  const fields = ['FL_DATE', 'OP_CARRIER', 'ORIGIN', 'DEST'];
  const start = 'flights.csv: the columns are separated by';
  t.is(
    await refusal(fields, ';'),
    `${start} ";", and no provider with ";" in its files has this header`,
  );
  t.is(await refusal([fields.join('\t')]), `${start} tabs; only commas are supported`);
  const weather = 'origin,year,month,day,hour,temp,wind_speed,precip,visib'.split(',');
  t.is(
    await refusal(weather),
    'flights.csv: contains hourly weather, not flights; load it with make backfill-weather SOURCE=',
  );
});

test('a form without a year uses the requested year, otherwise the year in the file name', async (t) => {
  const requested = fakeDeps({ source: { header: [...BY_MONTH], name: 'us_2018.csv' } });
  const neither = fakeDeps({ source: { header: [...BY_MONTH] } });
  const months = [{ month: '2018-01', rowsRead: 1, rejects: {} }];
  const named = fakeDeps({ months, source: { header: [...BY_MONTH], name: 'us_2018.csv' } });

  await t.throwsAsync(extractFile({ path: '/us_2018.csv', year: 1066 }, requested.deps, silent), {
    message: 'us_2018.csv: YEAR=1066 is not a year from 1987 to 2100',
  });
  await t.throwsAsync(extractFile({ path: '/flights.csv' }, neither.deps, silent), {
    message: 'flights.csv: the rows have months but no year: pass YEAR=',
  });
  const report = await extractFile({ path: '/us_2018.csv' }, named.deps, silent);

  t.deepEqual(named.calls, ['stage by_month_carriers 2018', 'write 2018-01', 'close']);
  t.deepEqual(report.notes, [
    'the rows have no year; 2018 is taken from the file name, and YEAR= overrides it',
  ]);
});

test('a source whose rows are all in the lake is not read again', async (t) => {
  const extracted = {
    month: '2017-01',
    rows: { read: 100, loaded: 99, rejected: 1 },
    rejects: { invalid_dest: 1 },
  } as unknown as MonthManifest;
  const whole = fakeDeps({ extracted: [extracted], source: { rowCount: 100 } });
  const partly = fakeDeps({
    extracted: [extracted],
    months: [
      { month: '2017-01', rowsRead: 100, rejects: { invalid_dest: 1 } },
      { month: '2017-02', rowsRead: 50, rejects: {} },
    ],
  });

  const same = await extractFile({ path: '/flights.csv' }, whole.deps, silent);
  const completed = await extractFile({ path: '/flights.csv' }, partly.deps, silent);

  t.deepEqual(whole.calls, []);
  t.like(same, { rowsRead: 100, rowsLoaded: 99, rowsRejected: 1 });
  t.deepEqual(
    same.months.map(({ outcome }) => outcome),
    ['unchanged'],
  );
  t.deepEqual(partly.calls, ['stage nycflights', 'write 2017-02', 'close']);
  t.deepEqual(
    completed.months.map(({ outcome }) => outcome),
    ['unchanged', 'written'],
  );
});

test('progress is reported after the check, the reading and each month', async (t) => {
  const { deps } = fakeDeps({
    months: [
      { month: '2017-01', rowsRead: 2, rejects: {} },
      { month: '2017-02', rowsRead: 1, rejects: {} },
    ],
  });
  const progress: [number, number, string][] = [];

  await extractFile({ path: '/flights.csv' }, deps, (...step) => progress.push(step));

  t.deepEqual(progress, [
    [1, 2, 'checked flights.csv'],
    [2, 4, 'read 3 rows'],
    [3, 4, '2017-01 written'],
    [4, 4, '2017-02 written'],
  ]);
});

test('a file with other months than the requested one changes nothing', async (t) => {
  const other = fakeDeps({ months: [{ month: '2017-02', rowsRead: 10, rejects: {} }] });
  const several = fakeDeps({
    months: [
      { month: '2017-01', rowsRead: 10, rejects: {} },
      { month: '2017-02', rowsRead: 10, rejects: {} },
    ],
  });
  const request = { path: '/flights.csv', month: '2017-01' };
  await t.throwsAsync(extractFile(request, other.deps, silent), {
    instanceOf: SourceFormatError,
    message: 'flights.csv: contains 2017-02; expected only 2017-01',
  });
  await t.throwsAsync(extractFile(request, several.deps, silent), {
    message: 'flights.csv: contains 2017-01, 2017-02; expected only 2017-01',
  });
  t.deepEqual(other.calls, ['stage nycflights', 'close']);
  t.deepEqual(several.calls, ['stage nycflights', 'close']);
});

test('a file of the requested month is written', async (t) => {
  const { calls, deps } = fakeDeps({ months: [{ month: '2017-01', rowsRead: 10, rejects: {} }] });
  await extractFile({ path: '/flights.csv', month: '2017-01' }, deps, silent);
  t.deepEqual(calls, ['stage nycflights', 'write 2017-01', 'close']);
});

test('with force, a source that is already in the lake is extracted again', async (t) => {
  const extracted = {
    month: '2017-01',
    rows: { read: 10, loaded: 10, rejected: 0 },
    rejects: {},
  } as unknown as MonthManifest;
  const { calls, deps } = fakeDeps({
    extracted: [extracted],
    months: [{ month: '2017-01', rowsRead: 10, rejects: {} }],
  });
  await extractFile({ path: '/flights.csv', month: '2017-01', force: true }, deps, silent);
  t.deepEqual(calls, ['stage nycflights', 'write 2017-01', 'close']);
});

test('a failed write ends the load after the other writes of its batch have ended', async (t) => {
  const months = ['2017-01', '2017-02', '2017-03', '2017-04', '2017-05'];
  const otherWrite = Promise.withResolvers<void>();
  const { calls, deps } = fakeDeps({
    months: months.map((month) => ({ month, rowsRead: 100, rejects: {} })),
    write: async (month) => {
      if (month === '2017-01') throw new Error('no space left');
      if (month === '2017-04') return otherWrite.promise;
    },
  });

  const load = extractFile({ path: '/flights.csv' }, deps, silent);
  await setImmediate();
  t.false(calls.includes('close'));
  otherWrite.resolve();

  await t.throwsAsync(load, { message: 'no space left' });
  t.deepEqual(calls.toSorted(), [
    'close',
    'stage nycflights',
    'write 2017-02',
    'write 2017-03',
    'write 2017-04',
  ]);
  t.is(calls.at(-1), 'close');
});
