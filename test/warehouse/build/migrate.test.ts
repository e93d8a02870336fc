import { readdir } from 'node:fs/promises';
import test from 'ava';
import { openDatabase, inTransaction } from '../../../warehouse/connect.ts';
import { WarehouseTooNewError } from '../../../warehouse/errors.ts';
import { migrate } from '../../../warehouse/build/migrate.ts';
import { createWarehouse } from '../../helpers/warehouse.ts';

test('a migrated database needs no migration', async (t) => {
  const db = await createWarehouse(t);
  t.deepEqual(await migrate(db), []);
});

test('a new database gets every migration, in order', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());
  const files = await readdir(new URL('../../../warehouse/migrations', import.meta.url));
  t.deepEqual(await migrate(db), files.toSorted());
  t.is(new Set(files.map((file) => file.slice(0, 4))).size, files.length, 'numbers are unique');
});

test('a database migrated by newer code is refused', async (t) => {
  const db = await createWarehouse(t);
  await db.run(`insert into migrations values ('9999_future.sql')`);
  await t.throwsAsync(migrate(db), {
    instanceOf: WarehouseTooNewError,
    message: /9999_future\.sql/,
  });
});

test('failed work in a transaction leaves no changes', async (t) => {
  const db = await createWarehouse(t);
  const work = inTransaction(db, async () => {
    await db.run(`insert into reference.airlines values ('DL', 'Delta', 'United States')`);
    throw new Error('killed');
  });
  await t.throwsAsync(work, { message: 'killed' });
  t.deepEqual(await db.rows('select * from reference.airlines'), []);
});
