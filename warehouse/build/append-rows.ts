import type { DuckDBValue } from '@duckdb/node-api';
import type { Database } from '../connect.ts';

/**
 * Appends rows to a table. The fields of a row are named like the columns of the table; an absent field is null.
 */
export async function appendRows(
  db: Pick<Database, 'append' | 'rows'>,
  table: string,
  rows: readonly object[],
): Promise<void> {
  const columns = await db.rows<{ name: string }>(
    `select column_name as name from duckdb_columns() where table_name = $table order by column_index`,
    { table },
  );
  const cellOf = (row: object, name: string) =>
    (row as Record<string, DuckDBValue | undefined>)[name];
  await db.append(
    table,
    columns.map(({ name }) => rows.map((row) => cellOf(row, name) ?? null)),
  );
}
