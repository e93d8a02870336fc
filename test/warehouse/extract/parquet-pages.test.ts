import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SourceFormatError } from '../../../warehouse/errors.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { inspect } from '../../../warehouse/extract/inspect.ts';
import { checkParquetPages } from '../../../warehouse/extract/parquet-pages.ts';
import { aFolder } from '../../helpers/flight-files.ts';

/**
 * 200 rows in two row groups, with a checksum in each page. Written by pyarrow 25.0.1:
 * `write_table(t, file, compression='zstd', write_page_checksum=True, row_group_size=120)`.
 */
const CHECKSUMS = path.resolve(import.meta.dirname, '../../fixtures/parquet/checksums.parquet');
/** The pages are in these bytes of the file; the footer follows. */
const PAGES = [4, 1_755] as const;

async function aDatabase(t: ExecutionContext) {
  const db = await openDatabase({ threads: 1 });
  t.teardown(() => db.close());
  return db;
}

test('every page of a file with checksums is checked', async (t) => {
  t.is(await checkParquetPages(await aDatabase(t), CHECKSUMS, 'checksums.parquet'), 12);
});

test('a flipped bit in a page with a checksum is found, or changes no value', async (t) => {
  const db = await aDatabase(t);
  const folder = await aFolder(t);
  const intact = await readFile(CHECKSUMS);
  const rowsOf = (file: string) => db.rows('from read_parquet($file)', { file });
  const rows = await rowsOf(CHECKSUMS);
  let found = 0;
  for (let at: number = PAGES[0]; at < PAGES[1]; at += 13) {
    const bytes = Buffer.from(intact);
    bytes[at]! ^= 1 << (at % 8);
    const file = path.join(folder, `${at}.parquet`);
    await writeFile(file, bytes);
    try {
      await checkParquetPages(db, file, 'flipped.parquet');
      t.deepEqual(await rowsOf(file), rows, `byte ${at}`);
    } catch (error) {
      if (error instanceof SourceFormatError) found += 1;
    }
  }
  t.true(found > 90, `${found}`);
});

test('a file with a damaged page is refused before any row is read', async (t) => {
  const file = path.join(await aFolder(t), 'flipped.parquet');
  const bytes = await readFile(CHECKSUMS);
  bytes[200]! ^= 1;
  await writeFile(file, bytes);
  await t.throwsAsync(
    inspect(file, async () => ''),
    {
      message:
        'flipped.parquet: is damaged: a page of the column delay does not match its checksum',
    },
  );
});

test('a file without checksums is accepted', async (t) => {
  const db = await aDatabase(t);
  const file = path.join(await aFolder(t), 'plain.parquet');
  await db.run('copy (from range(10)) to $file (format parquet)', { file });
  t.is(await checkParquetPages(db, file, 'plain.parquet'), 0);
});
