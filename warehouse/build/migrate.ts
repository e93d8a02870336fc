import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inTransaction, type Database } from '../connect.ts';
import { WarehouseTooNewError } from '../errors.ts';

const MIGRATIONS_DIR = path.join(import.meta.dirname, '../migrations');

/**
 * Migrates the database to the newest layout, one transaction per file, and returns the names of applied migrations.
 * Throws `WarehouseTooNewError` if the database has a migration that this code does not know.
 */
export async function migrate(db: Database): Promise<string[]> {
  await db.run('create table if not exists migrations (name varchar primary key)');
  const pending = await namePending(db);
  for (const name of pending) {
    const sql = await readFile(path.join(MIGRATIONS_DIR, name), 'utf8');
    await inTransaction(db, async () => {
      await db.run(sql);
      await db.run('insert into migrations values ($name)', { name });
    });
  }
  return pending;
}

/** Whether the database has every migration; throws `WarehouseTooNewError` as `migrate` does. */
export async function isMigrated(db: Database): Promise<boolean> {
  const [found] = await db.rows<{ tables: number }>(
    `select count(*) as tables from duckdb_tables() where table_name = 'migrations'`,
  );
  return found?.tables === 1 && (await namePending(db)).length === 0;
}

/**
 * Returns the names of the migrations that the database does not have yet. Throws `WarehouseTooNewError` in the same
 * case as `migrate`.
 */
export async function namePending(db: Database): Promise<string[]> {
  const knownNames = (await readdir(MIGRATIONS_DIR))
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  const rows = await db.rows<{ name: string }>('select name from migrations');
  const applied = rows.map(({ name }) => name);
  const unknown = applied.find((name) => !knownNames.includes(name));
  if (unknown !== undefined) throw new WarehouseTooNewError(unknown);
  return knownNames.filter((name) => !applied.includes(name));
}
