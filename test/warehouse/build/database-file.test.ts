import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { openMigrated } from '../../../warehouse/build/database-file.ts';
import { copyForReaders } from '../../../warehouse/build/read-copy.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { openDatabase } from '../../../warehouse/connect.ts';
import { CorruptFileError, isFinal } from '../../../warehouse/errors.ts';
import { aFolder } from '../../helpers/flight-files.ts';

const A_MONTH = `insert into raw.lake_months by name select date '2018-07-01' as month, 'a.csv' as source_name,
  'abc' as source_sha256, 'bts_short' as source_form, 1 as rows_read, 1 as rows_loaded, 0 as rows_rejected,
  'test' as code_version, now() as extracted_at`;

/** Copies a database file with its log, as a process killed now would leave both. */
async function copyAsKilled(file: string, copy: string): Promise<void> {
  await copyFile(file, copy);
  const names = await readdir(path.dirname(file));
  if (names.includes(`${path.basename(file)}.wal`)) await copyFile(`${file}.wal`, `${copy}.wal`);
}

/** Creates a database of an older layout, without any migration, with one table. */
async function createOlderLayout(file: string): Promise<void> {
  const db = await openDatabase({ path: file, threads: 1 });
  await db.run('create table migrations (name varchar primary key)');
  await db.run('create table main.older as select 1 as one');
  db.close();
}

test('a process killed right after creating the file leaves a file that opens', async (t) => {
  const folder = await aFolder(t);
  const [file, copy] = [path.join(folder, 'a.duckdb'), path.join(folder, 'killed.duckdb')];
  const db = await openMigrated(file);
  await db.run(A_MONTH);
  await copyAsKilled(file, copy);
  db.close();
  const reopened = await openMigrated(copy);
  t.deepEqual(await reopened.rows('select source_name from raw.lake_months'), [
    { source_name: 'a.csv' },
  ]);
  reopened.close();
});

test('a process killed right after migrating the file leaves a file that opens', async (t) => {
  const folder = await aFolder(t);
  const [file, copy] = [path.join(folder, 'a.duckdb'), path.join(folder, 'killed.duckdb')];
  await createOlderLayout(file);
  const db = await openMigrated(file);
  await copyAsKilled(file, copy);
  db.close();
  const reopened = await openMigrated(copy);
  t.deepEqual(await reopened.rows('select one from main.older'), [{ one: 1 }]);
  t.deepEqual(await migrate(reopened), []);
  reopened.close();
});

test('a database is created again if its file is incomplete or if only its log is left', async (t) => {
  const folder = await aFolder(t);
  const wholeFile = path.join(folder, 'whole.duckdb');
  (await openMigrated(wholeFile)).close();
  const bytes = await readFile(wholeFile);
  for (const [length, log] of [
    [0, undefined],
    [4_096, undefined],
    [12_287, undefined],
    [undefined, 'of another file'],
  ] as const) {
    const file = path.join(folder, `${length}.duckdb`);
    if (length !== undefined) await writeFile(file, bytes.subarray(0, length));
    if (log !== undefined) await writeFile(`${file}.wal`, log);
    const db = await openMigrated(file);
    t.deepEqual(await migrate(db), []);
    db.close();
  }
});

test('a log that cannot be replayed is a final error that names the remedy', async (t) => {
  const folder = await aFolder(t);
  const [file, copy] = [path.join(folder, 'a.duckdb'), path.join(folder, 'killed.duckdb')];
  (await openMigrated(file)).close();
  const db = await openDatabase({ path: file, threads: 1 });
  await db.run('alter table raw.lake_months add column added tinyint');
  await copyAsKilled(file, copy);
  db.close();
  const error = await t.throwsAsync(openMigrated(copy), {
    instanceOf: CorruptFileError,
    message: /make rebuild/,
  });
  t.true(isFinal(error));
});

test('data written into a read copy is lost with that copy, even if its log is left', async (t) => {
  const folder = await aFolder(t);
  const [warehouseFile, copy] = [path.join(folder, 'a.duckdb'), path.join(folder, 'a-read.duckdb')];
  (await openMigrated(warehouseFile)).close();
  await copyForReaders({ warehouseFile, readFile: copy });
  const tool = await openDatabase({ path: copy, threads: 1 });
  await tool.run('create table main.mine as select 1 as one');
  t.true((await readdir(folder)).includes('a-read.duckdb.wal'));
  await copyForReaders({ warehouseFile, readFile: copy });
  // Opened under another path: DuckDB in this process would reuse the instance of the former copy.
  await copyAsKilled(copy, path.join(folder, 'new.duckdb'));
  const reopened = await openDatabase({ path: path.join(folder, 'new.duckdb'), readOnly: true });
  t.deepEqual(
    await reopened.rows("from duckdb_tables() select table_name where table_name = 'mine'"),
    [],
  );
  reopened.close();
  tool.close();
});
