import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { extractFile } from '../../../pipelines/flights/ingest.ts';
import type { ExtractRequest } from '../../../pipelines/flights/types.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { createExtractDeps } from '../../../warehouse/extract/extract.ts';
import { lakeFilePath, readManifest } from '../../../warehouse/lake/lake.ts';
import { aFile, aFlight, aFolder, toCsv } from '../../helpers/flight-files.ts';

async function aLake(t: ExecutionContext) {
  const lakeDir = await aFolder(t);
  const deps = createExtractDeps({ lakeDir, codeVersion: 'test' });
  const extract = (request: ExtractRequest) => extractFile(request, deps, () => undefined);
  const rowsOf = async (file: 'flights' | 'routeHours' | 'rejects') => {
    const lakeFile = (await readManifest(lakeDir, '2018-07'))?.files[file];
    const db = await openDatabase({ threads: 1 });
    try {
      return lakeFile
        ? await db.rows<Record<string, unknown>>('select * from read_parquet($file)', {
            file: lakeFilePath(lakeDir, '2018-07', lakeFile),
          })
        : [];
    } finally {
      db.close();
    }
  };
  return { lakeDir, extract, rowsOf };
}

/** `count` departures from an airport. */
const departures = (origin: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    aFlight({ ORIGIN: origin, OP_CARRIER_FL_NUM: String(100 + index) }),
  );

test('several files read as one source make one month, and a flight in two files counts once', async (t) => {
  const { lakeDir, extract, rowsOf } = await aLake(t);
  const shared = aFlight({
    ORIGIN: 'SEA',
    DEST: 'PDX',
    OP_CARRIER_FL_NUM: '7',
    ARR_DELAY: '40.00',
  });
  const seattle = await aFile(t, toCsv([...departures('SEA', 150), shared, shared]), 'sea.csv');
  const portland = await aFile(
    t,
    toCsv([...departures('PDX', 100), { ...shared, ARR_DELAY: '0.00' }, aFlight({ ORIGIN: 'P' })]),
    'pdx.csv',
  );
  const report = await extract({ path: seattle, parts: [portland] });
  t.like(report, { rowsRead: 253, rowsLoaded: 251, rowsRejected: 2 });
  t.deepEqual(report.notes, ['1 flights are in several files and are counted once']);
  const source = (await readManifest(lakeDir, '2018-07'))?.source;
  t.is(source?.name, 'sea.csv + pdx.csv');
  t.deepEqual(
    source?.parts?.map(({ name, rows, repeated }) => [name, rows, repeated]),
    [
      ['sea.csv', 152, 0],
      ['pdx.csv', 102, 1],
    ],
  );
  const flights = await rowsOf('flights');
  t.is(flights.length, 251);
  t.deepEqual(
    flights.filter((flight) => flight['flight_number'] === '7').map((one) => one['arr_delay_min']),
    [40],
    'the first row of the first part counts',
  );
  t.is(
    (await rowsOf('routeHours')).reduce((sum, row) => sum + Number(row['flight_count']), 0),
    251,
  );
  t.deepEqual(
    (await rowsOf('rejects')).map(({ line, reason, part }) => [line, reason, part]),
    [
      [103, 'invalid_origin', 'pdx.csv'],
      [153, 'duplicate_flight', 'sea.csv'],
    ],
  );

  const swapped = await extract({ path: portland, parts: [seattle] });
  t.deepEqual(
    swapped.months.map(({ outcome }) => outcome),
    ['unchanged'],
    'the order of the parts does not matter',
  );
});

test('flights without a number in two files are the same only if their planes match', async (t) => {
  const { extract } = await aLake(t);
  const flight = (plane: string) =>
    aFlight({ ORIGIN: 'SEA', DEST: 'PDX', OP_CARRIER_FL_NUM: '', TAIL_NUM: plane });
  const first = await aFile(t, toCsv([...departures('SEA', 150), flight('N1AS')]), 'a.csv');
  const other = await aFile(t, toCsv([flight('N1AS'), flight('N2AS')]), 'b.csv');
  const report = await extract({ path: first, parts: [other] });
  t.like(report, { rowsRead: 152, rowsLoaded: 152 });
  t.deepEqual(report.notes, ['1 flights are in several files and are counted once']);
});

test('parts whose flights cannot be deduplicated are refused, and the lake does not change', async (t) => {
  const { lakeDir, extract } = await aLake(t);
  const file = await aFile(t, toCsv([aFlight()]), 'own.csv');
  const refused = async (other: string, why: RegExp) =>
    t.throwsAsync(extract({ path: file, parts: [other] }), {
      instanceOf: SourceFormatError,
      message: why,
    });
  await refused(file, /is listed twice/);
  const { ARR_DELAY: _, ...departure } = aFlight();
  await refused(
    await aFile(t, toCsv([departure]), 'departures.csv'),
    /departures\.csv: cannot be combined with other files: it has departure delays, but own\.csv has arrival delays/,
  );
  const { FL_DATE: _day, ...rest } = aFlight();
  const weekday = { YEAR: '2018', MONTH: '7', DAY_OF_WEEK: '3', ...rest };
  await refused(
    await aFile(t, toCsv([weekday]), 'weekdays.csv'),
    /lacks the day or time of its flights/,
  );
  const { OP_CARRIER_FL_NUM: _number, ...unnumbered } = aFlight();
  await refused(
    await aFile(t, toCsv([unnumbered]), 'unnumbered.csv'),
    /unnumbered\.csv: cannot be combined with other files: it has no flight-number column/,
  );
  t.is(await readManifest(lakeDir, '2018-07'), undefined);
  t.is(path.basename(file), 'own.csv');
});
