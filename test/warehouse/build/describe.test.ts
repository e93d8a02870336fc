import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { buildModel } from '../../../warehouse/build/build.ts';
import { openMigrated } from '../../../warehouse/build/database-file.ts';
import {
  listColumns,
  parseDescription,
  describeModels,
  describeTables,
  listRelations,
} from '../../../warehouse/build/describe.ts';
import { MODELS, VIEWS } from '../../../warehouse/build/models.ts';
import { createViews } from '../../../warehouse/build/views.ts';
import { readSql } from '../../../warehouse/connect.ts';
import { aFolder } from '../../helpers/flight-files.ts';
import { buildWarehouse } from '../../helpers/warehouse.ts';

test('a header describes a table and its columns', (t) => {
  const sql = `-- One row per route.
-- Of both ways.
--   origin, dest: where it
--     ends
--   late_rate: share, 0 to 1
create or replace table marts.routes as
-- Not of the header.
select 1`;
  const { comment, columns } = parseDescription(sql);
  t.is(comment, 'One row per route. Of both ways.');
  t.deepEqual(Object.fromEntries(columns), {
    origin: 'where it ends',
    dest: 'where it ends',
    late_rate: 'share, 0 to 1',
  });
});

test('every table, view and column has a description, and no header describes a missing column', async (t) => {
  const db = await buildWarehouse(t);
  await createViews(db, await aFolder(t));
  await describeTables(db);
  await describeModels(db);
  const [relations, columns] = [await listRelations(db), await listColumns(db)];
  t.deepEqual(
    relations.filter(({ comment }) => !comment).map(({ schema, name }) => `${schema}.${name}`),
    [],
  );
  const knownColumns = columns.map(({ schema, table, name }) => `${schema}.${table}.${name}`);
  t.deepEqual(
    columns
      .filter(({ comment }) => !comment)
      .map((one) => `${one.schema}.${one.table}.${one.name}`),
    [],
    'describe them in the header of their SQL: CONTRIBUTING.md, "Describe a table"',
  );
  for (const file of [...MODELS, ...VIEWS.map((view) => `views/${view}`)]) {
    const relation = file.replace('/', '.').replace('views.', 'main.');
    const described = parseDescription(await readSql(file));
    t.regex(described.comment, /^One row/, file);
    for (const name of described.columns.keys()) {
      t.true(knownColumns.includes(`${relation}.${name}`), `${relation}.${name}`);
    }
  }
});

test('the next process replays views and comments from the log of a killed process', async (t) => {
  const folder = await aFolder(t);
  const [file, copy] = ['warehouse.duckdb', 'copy.duckdb'].map((name) => path.join(folder, name));
  const db = await openMigrated(file as string);
  t.teardown(() => db.close());
  await buildModel(db, 'marts/months');
  await createViews(db, folder);
  await describeModels(db);
  for (const end of ['', '.wal']) await copyFile(`${file}${end}`, `${copy}${end}`);
  const reopened = await openMigrated(copy as string);
  t.teardown(() => reopened.close());
  const columns = await listColumns(reopened);
  t.is(columns.find(({ name }) => name === 'month_days')?.comment, 'days of the month');
  t.true(
    columns.some(
      ({ table, comment }) => table === 'months' && comment === 'first day of the month',
    ),
  );
  t.true(columns.some(({ table, comment }) => table === 'rejects' && comment !== null));
});
