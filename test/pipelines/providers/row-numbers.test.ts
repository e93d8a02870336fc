import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { PROVIDERS } from '../../../pipelines/providers/index.ts';
import { lakeFilePath, readManifests } from '../../../warehouse/lake/lake.ts';
import { providerLakeDir } from '../../../warehouse/paths.ts';
import {
  aFile,
  aFlight,
  aFolder,
  aParquet,
  extractToLake,
  parquetRows,
  toCsv,
} from '../../helpers/flight-files.ts';
import { aZip } from '../../helpers/zips.ts';
import { LAYOUTS } from './helpers/layouts.ts';

/** Number of rows in each file. DuckDB reads fewer rows at once. */
const ROWS = 5_000;

/** Numbers of the rows that are rejected. The first row has number 1. */
const BAD_ROWS = [7, 1_500, 2_048, 2_049, 4_321];

/** Extracts a file of one month. Returns the lines and reasons of its rejected rows. */
async function rejectedLines(t: ExecutionContext, file: string) {
  const { lakeDir, report } = await extractToLake(t, file);
  t.like(report, { rowsRead: ROWS, rowsRejected: BAD_ROWS.length });
  const own = providerLakeDir(lakeDir, report.source.provider ?? 'bts');
  const [manifest] = await readManifests(own);
  t.truthy(manifest?.files.rejects);
  if (!manifest?.files.rejects) return [];
  const rejects = lakeFilePath(own, manifest.month, manifest.files.rejects);
  return parquetRows(rejects, 'line, reason');
}

/** Returns the rows of a file in this layout. The rows `BAD_ROWS` are bad. */
function rowsOf({ good, bad }: (typeof LAYOUTS)[string]): string[] {
  return Array.from({ length: ROWS }, (_, at) => (BAD_ROWS.includes(at + 1) ? bad(at) : good(at)));
}

/** Returns the expected rejects of `BAD_ROWS` in a file whose first row is on this line. */
function rejectsFrom(firstLine: number, reason: string) {
  return BAD_ROWS.map((row) => ({ line: firstLine + row - 1, reason }));
}

test('every provider has a layout', (t) => {
  const providers = new Set(Object.keys(LAYOUTS).map((name) => name.replace(/ .*/, '')));
  const expected = PROVIDERS.map(({ name }) => name).filter((name) => name !== 'bts');
  t.deepEqual([...providers].toSorted(), expected.toSorted());
});

for (const [name, layout] of Object.entries(LAYOUTS)) {
  test(`${name}: rejected rows have their numbers in the file`, async (t) => {
    const { header, file, reason } = layout;
    const lines = rowsOf(layout);
    // A CSV has its header in line 1; JSON answers count their flights from 1.
    const content = file ? file(lines) : `${[header, ...lines].join('\r\n')}\r\n`;
    const rejects = await rejectedLines(t, await aFile(t, content));
    t.deepEqual(rejects, rejectsFrom(file ? 1 : 2, reason));
  });
}

test('Britain: blank lines and a gzip file do not shift the lines of rejected rows', async (t) => {
  const layout = LAYOUTS['caa from 2018']!;
  const [first = '', ...rest] = rowsOf(layout);
  const text = [layout.header, first, '', '', ...rest, ''].join('\n');
  const rejects = await rejectedLines(t, await aFile(t, text, 'caa.csv.gz'));
  t.deepEqual(rejects, rejectsFrom(4, layout.reason));
});

test('Brazil: a line above the header counts as a line of the file', async (t) => {
  const layout = LAYOUTS['anac']!;
  const text = ['Atualizado em: 2021-06-20', layout.header, ...rowsOf(layout), ''].join('\n');
  const rejects = await rejectedLines(t, await aFile(t, text));
  t.deepEqual(rejects, rejectsFrom(3, layout.reason));
});

test('own records: lines are those of the CSV in a zip, and rows of a Parquet file count from 1', async (t) => {
  const layout = LAYOUTS['own']!;
  const csv = [layout.header, ...rowsOf(layout), ''].join('\n');
  const zip = path.join(await aFolder(t), 'own.zip');
  await writeFile(zip, aZip([{ name: 'own.csv', content: csv }]));
  t.deepEqual(await rejectedLines(t, zip), rejectsFrom(2, layout.reason));

  const plain = await aFile(t, csv);
  const parquet = await aParquet(t, `from read_csv('${plain}', all_varchar = true)`);
  t.deepEqual(await rejectedLines(t, parquet), rejectsFrom(1, layout.reason));
});

test('BTS: rejected rows have their numbers in the file', async (t) => {
  const flights = Array.from({ length: ROWS }, (_, at) =>
    aFlight({
      OP_CARRIER_FL_NUM: String(at + 1),
      DEST: BAD_ROWS.includes(at + 1) ? 'KLAX' : 'LAX',
    }),
  );
  const rejects = await rejectedLines(t, await aFile(t, toCsv(flights)));
  t.deepEqual(rejects, rejectsFrom(2, 'invalid_dest'));
});
