import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { buildModel } from '../../../warehouse/build/build.ts';
import { openMigrated } from '../../../warehouse/build/database-file.ts';
import {
  columnsOf,
  descriptionOf,
  describeModels,
  describeTables,
  relationsOf,
} from '../../../warehouse/build/describe.ts';
import { MODELS, VIEWS } from '../../../warehouse/build/models.ts';
import { makeViews } from '../../../warehouse/build/views.ts';
import { readSql } from '../../../warehouse/connect.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { builtWith } from '../../helpers/warehouse.ts';

test('a header tells what a table and its columns are', (t) => {
  const sql = `-- One row per route.
-- Of both ways.
--   origin, dest: where it
--     ends
--   late_rate: share, 0 to 1
create or replace table marts.routes as
-- Not of the header.
select 1`;
  const { comment, columns } = descriptionOf(sql);
  t.is(comment, 'One row per route. Of both ways.');
  t.deepEqual(Object.fromEntries(columns), {
    origin: 'where it ends',
    dest: 'where it ends',
    late_rate: 'share, 0 to 1',
  });
});

test('every table, view and column says what it is, and no header describes a column that is not there', async (t) => {
  const db = await builtWith(t);
  await makeViews(db, await aFolder(t));
  await describeTables(db);
  await describeModels(db);
  const [relations, columns] = [await relationsOf(db), await columnsOf(db)];
  t.deepEqual(
    relations.filter(({ comment }) => !comment).map(({ schema, name }) => `${schema}.${name}`),
    [],
  );
  const known = columns.map(({ schema, table, name }) => `${schema}.${table}.${name}`);
  t.deepEqual(
    columns
      .filter(({ comment }) => !comment)
      .map((one) => `${one.schema}.${one.table}.${one.name}`),
    [],
    'describe them in the header of their SQL: CONTRIBUTING.md, "Describe a table"',
  );
  for (const file of [...MODELS, ...VIEWS.map((view) => `views/${view}`)]) {
    const relation = file.replace('/', '.').replace('views.', 'main.');
    const described = descriptionOf(await readSql(file));
    t.regex(described.comment, /^One row/, file);
    for (const name of described.columns.keys()) {
      t.true(known.includes(`${relation}.${name}`), `${relation}.${name}`);
    }
  }
});

test('what a killed process left in the log of views and comments is read by the next', async (t) => {
  const folder = await aFolder(t);
  const [file, copy] = ['warehouse.duckdb', 'copy.duckdb'].map((name) => path.join(folder, name));
  const db = await openMigrated(file as string);
  t.teardown(() => db.close());
  await buildModel(db, 'marts/months');
  await makeViews(db, folder);
  await describeModels(db);
  for (const end of ['', '.wal']) await copyFile(`${file}${end}`, `${copy}${end}`);
  const reopened = await openMigrated(copy as string);
  t.teardown(() => reopened.close());
  const columns = await columnsOf(reopened);
  t.is(
    columns.find(({ name }) => name === 'delayed15_from')?.comment?.slice(0, 12),
    'minutes from',
  );
  t.true(columns.some(({ table, comment }) => table === 'months' && comment === 'its first day'));
  t.true(columns.some(({ table, comment }) => table === 'rejects' && comment !== null));
});
