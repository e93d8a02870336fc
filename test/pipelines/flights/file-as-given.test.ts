import test from 'ava';
import { SourceFormatError } from '../../../pipelines/errors.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import type { MonthManifest } from '../../../warehouse/lake/lake.ts';
import { BY_MONTH, fakeDeps } from './helpers/fake-extract.ts';

const silent = () => undefined;

test('a file that is not what the sha256 beside it says is refused before it is read', async (t) => {
  const { calls, deps } = fakeDeps({ checksum: 'ABD' });
  await t.throwsAsync(extractFile({ path: '/flights.csv' }, deps, silent), {
    instanceOf: SourceFormatError,
    message: 'flights.csv: is damaged: its sha256 is abc, not ABD; get the file again',
  });
  const same = fakeDeps({
    checksum: 'ABC',
    months: [{ month: '2017-01', rowsRead: 1, rejects: {} }],
  });
  await extractFile({ path: '/flights.csv' }, same.deps, silent);
  t.deepEqual(calls, []);
  t.deepEqual(same.calls, ['stage nycflights', 'write 2017-01', 'close']);
});

test('a dry run writes nothing and says what would be replaced or refused', async (t) => {
  const { calls, deps } = fakeDeps({
    months: [
      { month: '2017-01', rowsRead: 900, rejects: {} },
      { month: '2017-02', rowsRead: 899, rejects: {} },
      { month: '2017-03', rowsRead: 100, rejects: { invalid_dest: 2 } },
    ],
    undatedRejects: { invalid_date: 1 },
    flightsHeld: { '2017-01': 1000, '2017-02': 1000 },
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

test('a year that is not that of the file name, or of the same file before, is asked about', async (t) => {
  const source = { header: [...BY_MONTH], name: 'us_2018.csv' };
  const months = [{ month: '2015-01', rowsRead: 1, rejects: {} }];
  const named = fakeDeps({ months, source });
  await t.throwsAsync(extractFile({ path: '/us_2018.csv', year: 2015 }, named.deps, silent), {
    message: 'us_2018.csv: YEAR=2015, but its name says 2018; FORCE=1 loads it all the same',
  });
  const held = [{ month: '2018-01', rows: { read: 1 } } as unknown as MonthManifest];
  const other = fakeDeps({ months, held, source: { ...source, name: 'flights.csv' } });
  await t.throwsAsync(extractFile({ path: '/flights.csv', year: 2015 }, other.deps, silent), {
    message:
      'flights.csv: the lake holds this very file as 2018: is 2015 right? FORCE=1 loads it all the same',
  });
  const forced = fakeDeps({ months, source });
  await extractFile({ path: '/us_2018.csv', year: 2015, force: true }, forced.deps, silent);
  t.deepEqual(forced.calls, ['stage by_month_carriers 2015', 'write 2015-01', 'close']);
});

test('a year asked for is doubted where it falls on a month of another file', async (t) => {
  const { deps } = fakeDeps({
    months: [{ month: '2018-01', rowsRead: 1000, rejects: {} }],
    flightsHeld: { '2018-01': 1000 },
    source: { header: [...BY_MONTH] },
  });
  const report = await extractFile({ path: '/flights.csv', year: 2018 }, deps, silent);
  t.is(
    report.months[0]?.why,
    'the lake holds 2018-01 of held.csv: is YEAR=2018 right?; FORCE=1 replaces it anyway',
  );
});
