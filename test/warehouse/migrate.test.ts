import { readdir } from 'node:fs/promises';
import test from 'ava';
import { openDatabase } from '../../warehouse/connect.ts';
import { WarehouseTooNewError } from '../../warehouse/errors.ts';
import { inTransaction, migrate } from '../../warehouse/migrate.ts';
import { warehouseWith } from '../helpers/warehouse.ts';

test('a migrated database needs no migration', async (t) => {
  const db = await warehouseWith(t);
  t.deepEqual(await migrate(db), []);
});

test('a new database gets every migration, in their order', async (t) => {
  const db = await openDatabase();
  t.teardown(() => db.close());
  const files = await readdir(new URL('../../warehouse/migrations', import.meta.url));
  t.deepEqual(await migrate(db), files.toSorted());
});

test('a database of newer code is refused', async (t) => {
  const db = await warehouseWith(t);
  await db.run(`insert into migrations values ('9999_future.sql')`);
  await t.throwsAsync(migrate(db), {
    instanceOf: WarehouseTooNewError,
    message: /9999_future\.sql/,
  });
});

test('work that fails in a transaction leaves nothing', async (t) => {
  const db = await warehouseWith(t);
  const work = inTransaction(db, async () => {
    await db.run(`insert into reference.airlines values ('DL', 'Delta', 'United States')`);
    throw new Error('killed');
  });
  await t.throwsAsync(work, { message: 'killed' });
  t.deepEqual(await db.rows('select * from reference.airlines'), []);
});
