import { dateAt } from '../ground/dates.ts';
import { readSql, type CellObject, type Database, inTransaction } from '../connect.ts';
import { estimateEffects } from './effects.ts';
import { CHECKS, MODELS } from './models.ts';
import { checkHeader, type CheckHeader } from './check-header.ts';
import type { BuildReport, CheckResult } from './reports.ts';
import type { Progress } from '../progress.ts';

/** A check, and the rows it finds. */
export type Found = CheckHeader & { check: string; rows: CellObject[] };

/** Rebuilds every model in order and returns the rows of each mart. */
export async function buildModels(db: Database, progress: Progress): Promise<BuildReport['rows']> {
  // A build that ends half-way must not be published on the checks of the one before.
  await db.run('delete from ops.check_results');
  for (const [index, model] of MODELS.entries()) {
    await buildModel(db, model);
    progress(index + 1, MODELS.length, model);
  }
  return countMarts(db);
}

/** Rebuilds one model; those it reads must be there. */
export async function buildModel(db: Database, model: string): Promise<void> {
  // The only mart that takes several steps over the same rows.
  if (model === 'marts/delay_effects') await estimateEffects(db);
  await db.runFile(model);
}

/** Rows of each mart, in the order they are built. */
export async function countMarts(db: Database): Promise<BuildReport['rows']> {
  const rows: BuildReport['rows'] = {};
  for (const model of MODELS) {
    const [folder, name] = model.split('/') as [string, string];
    if (folder === 'marts') rows[name] = await countRows(db, `marts.${name}`);
  }
  return rows;
}

/** Runs every check and keeps the results in `ops.check_results`, replacing those of the build before. */
export async function runChecks(db: Database, now: Date): Promise<CheckResult[]> {
  const results = (await findOffending(db, CHECKS, now)).map(({ check, severity, rows }) => ({
    check,
    severity,
    failures: rows.length,
  }));
  await inTransaction(db, async () => {
    await db.run('delete from ops.check_results');
    for (const { check, severity, failures } of results) {
      await db.run(
        'insert into ops.check_results values ($check, $severity, $failures, $now::timestamptz)',
        { check, severity, failures, now: now.toISOString() },
      );
    }
  });
  return results;
}

/** What checks find now: the rows that should not be there. */
export async function findOffending(
  db: Pick<Database, 'rows' | 'setVariables'>,
  names: readonly string[],
  now: Date,
): Promise<Found[]> {
  const found: Found[] = [];
  await db.setVariables({ today: dateAt(now) });
  for (const check of names) {
    const sql = await readSql(`checks/${check}`);
    const header = checkHeader(check, sql);
    const bounds = header.bounds.map(({ name, value }) => [name, value] as const);
    found.push({ check, ...header, rows: await db.rows(sql, Object.fromEntries(bounds)) });
  }
  return found;
}

/** Results of the checks of the last build. */
export async function lastChecks(db: Database): Promise<CheckResult[]> {
  return db.rows<CheckResult>(
    'select check_name as "check", severity, failures from ops.check_results order by check_name',
  );
}

async function countRows(db: Database, relation: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(`select count(*) as count from ${relation}`);
  return row?.count ?? 0;
}
