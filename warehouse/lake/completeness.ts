import { readSql, type Database } from '../connect.ts';
import { COMPLETENESS_COLUMNS, type Completeness } from '../snapshot.ts';

/** Returns the completeness of each month (`YYYY-MM`) in the tables that `sql/compare/tables.sql` creates. */
export async function readCompleteness(db: Database): Promise<Map<string, Completeness>> {
  const rows = await db.rows<{ month: string; completeness: Completeness }>(
    `select strftime(month, '%Y-%m') as "month", ${COMPLETENESS_COLUMNS} as "completeness"
     from (${await readSql('compare/completeness')})`,
  );
  return new Map(rows.map(({ month, completeness }) => [month, completeness]));
}

/**
 * Updates `raw.month_completeness` for months of the warehouse. Updates only months that have changed, and months with
 * a changed delay-cause table.
 */
export async function refreshCompleteness(db: Database): Promise<void> {
  await db.run(DELETE_REMOVED);
  await db.runFile('compare/tables');
  await db.runFile('compare/staged_loaded');
  const [outdated] = await db.rows('from outdated_months limit 1');
  if (outdated === undefined) return;
  await db.run(
    `insert or replace into raw.month_completeness by name
     select * from (${await readSql('compare/completeness')}) inner join outdated_months using (month)`,
  );
}

const DELETE_REMOVED = `
  delete from raw.month_completeness where month not in (select month from raw.lake_months)`;
