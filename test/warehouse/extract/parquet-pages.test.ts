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

test('a footer or a page header with garbage is a damaged file, not an internal error', async (t) => {
  const file = path.join(await aFolder(t), 'garbage.parquet');
  await writeFile(file, Buffer.alloc(2_000, 0xff));
  const chunkAt = (start: number, bytes: number) => ({
    rows: async () => [{ column: 'delay', start, bytes }],
  });
  const check = (start: number, bytes: number) =>
    checkParquetPages(chunkAt(start, bytes) as never, file, 'garbage.parquet');
  for (const [start, bytes] of [
    [4, 2 ** 52],
    [4, -1],
    [-5, 100],
    [1_990, 11],
  ] as const) {
    await t.throwsAsync(check(start, bytes), {
      instanceOf: SourceFormatError,
      message: 'garbage.parquet: is damaged: its footer places the column delay outside the file',
    });
  }
  t.is(await check(4, 1_000), 0);
  // A list that claims 2^49 numbers of eight bytes.
  const list = [0x19, 0xf7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x00];
  await writeFile(file, Buffer.concat([Buffer.from(list), Buffer.alloc(1_990)]));
  t.is(await check(0, 1_000), 0);
});

test('a file without checksums is accepted', async (t) => {
  const db = await aDatabase(t);
  const file = path.join(await aFolder(t), 'plain.parquet');
  await db.run('copy (from range(10)) to $file (format parquet)', { file });
  t.is(await checkParquetPages(db, file, 'plain.parquet'), 0);
});
