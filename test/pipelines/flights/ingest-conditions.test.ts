import test from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import type { MonthManifest } from '../../../warehouse/lake/lake.ts';
import { BY_MONTH, fakeDeps } from './helpers/fake-extract.ts';

const silent = () => undefined;

test('a file that differs from the sha256 beside it is refused before its rows are read', async (t) => {
  const { calls, deps } = fakeDeps({ checksum: 'ABD' });
  await t.throwsAsync(extractFile({ path: '/flights.csv' }, deps, silent), {
    instanceOf: SourceFormatError,
    message: 'flights.csv: is damaged: its sha256 is abc, not ABD; download the file again',
  });
  const matching = fakeDeps({
    checksum: 'ABC',
    months: [{ month: '2017-01', rowsRead: 1, rejects: {} }],
  });
  await extractFile({ path: '/flights.csv' }, matching.deps, silent);
  t.deepEqual(calls, []);
  t.deepEqual(matching.calls, ['stage nycflights', 'write 2017-01', 'close']);
});

test('a dry run writes nothing and reports which months would be replaced or refused', async (t) => {
  const { calls, deps } = fakeDeps({
    months: [
      { month: '2017-01', rowsRead: 900, rejects: {} },
      { month: '2017-02', rowsRead: 899, rejects: {} },
      { month: '2017-03', rowsRead: 100, rejects: { invalid_dest: 2 } },
    ],
    undatedRejects: { invalid_date: 1 },
    lakeFlights: { '2017-01': 1000, '2017-02': 1000 },
  });
  const report = await extractFile({ path: '/flights.csv', dryRun: true }, deps, silent);
  t.deepEqual(calls, ['stage nycflights', 'close']);
  t.deepEqual(
    report.months.map(({ outcome, replaced }) => [outcome, replaced?.before.flights]),
    [
      ['written', 1000],
      ['refused', 1000],
      ['refused', undefined],
    ],
  );
});

test('a year that differs from the file name, or from an earlier load of the file, is refused', async (t) => {
  const source = { header: [...BY_MONTH], name: 'us_2018.csv' };
  const months = [{ month: '2015-01', rowsRead: 1, rejects: {} }];
  const named = fakeDeps({ months, source });
  await t.throwsAsync(extractFile({ path: '/us_2018.csv', year: 2015 }, named.deps, silent), {
    message: 'us_2018.csv: YEAR=2015, but the file name has 2018; FORCE=1 loads it anyway',
  });
  const extracted = [{ month: '2018-01', rows: { read: 1 } } as unknown as MonthManifest];
  const other = fakeDeps({ months, extracted, source: { ...source, name: 'flights.csv' } });
  await t.throwsAsync(extractFile({ path: '/flights.csv', year: 2015 }, other.deps, silent), {
    message:
      'flights.csv: the lake has this file as year 2018: is YEAR=2015 right? FORCE=1 loads it anyway',
  });
  const forced = fakeDeps({ months, source });
  await extractFile({ path: '/us_2018.csv', year: 2015, force: true }, forced.deps, silent);
  t.deepEqual(forced.calls, ['stage by_month_carriers 2015', 'write 2015-01', 'close']);
});

test('a requested year is questioned if the lake has its month from another file', async (t) => {
  const { deps } = fakeDeps({
    months: [{ month: '2018-01', rowsRead: 1000, rejects: {} }],
    lakeFlights: { '2018-01': 1000 },
    source: { header: [...BY_MONTH] },
  });
  const report = await extractFile({ path: '/flights.csv', year: 2018 }, deps, silent);
  t.is(
    report.months[0]?.why,
    'the lake has 2018-01 from current.csv: is YEAR=2018 right?; FORCE=1 replaces the month anyway',
  );
});
