import { dateAt } from '../ground/dates.ts';
import { readSql, type CellObject, type Database, inTransaction } from '../connect.ts';
import { estimateEffects } from './effects.ts';
import { CHECKS, MODELS } from './models.ts';
import { parseCheckHeader, type CheckHeader } from './check-header.ts';
import type { BuildReport, CheckResult } from './reports.ts';
import type { Progress } from '../progress.ts';

/** A check with its offending rows. */
export type CheckFindings = CheckHeader & { check: string; rows: CellObject[] };

/** Rebuilds every model in order and returns the rows of each mart. */
export async function buildModels(db: Database, progress: Progress): Promise<BuildReport['rows']> {
  // An incomplete build must not be published with the check results of an earlier build.
  await db.run('delete from ops.check_results');
  for (const [index, model] of MODELS.entries()) {
    await buildModel(db, model);
    progress(index + 1, MODELS.length, model);
  }
  return countMarts(db);
}

/** Rebuilds one model; the models it reads must exist. */
export async function buildModel(db: Database, model: string): Promise<void> {
  // This is the only mart that needs several steps over the same rows.
  if (model === 'marts/delay_effects') await estimateEffects(db);
  await db.runFile(model);
}

/** Counts the rows of each mart, in build order. */
export async function countMarts(db: Database): Promise<BuildReport['rows']> {
  const rows: BuildReport['rows'] = {};
  for (const model of MODELS) {
    const [folder, name] = model.split('/') as [string, string];
    if (folder === 'marts') rows[name] = await countRows(db, `marts.${name}`);
  }
  return rows;
}

/** Runs every check and saves the results in `ops.check_results`, replacing the results of the last build. */
export async function runChecks(db: Database, now: Date): Promise<CheckResult[]> {
  const results = (await findOffendingRows(db, CHECKS, now)).map(({ check, severity, rows }) => ({
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

/** Runs checks and returns their offending rows. */
export async function findOffendingRows(
  db: Pick<Database, 'rows' | 'setVariables'>,
  names: readonly string[],
  now: Date,
): Promise<CheckFindings[]> {
  const findings: CheckFindings[] = [];
  await db.setVariables({ today: dateAt(now) });
  for (const check of names) {
    const sql = await readSql(`checks/${check}`);
    const header = parseCheckHeader(check, sql);
    const bounds = header.bounds.map(({ name, value }) => [name, value] as const);
    findings.push({ check, ...header, rows: await db.rows(sql, Object.fromEntries(bounds)) });
  }
  return findings;
}

/** Reads the check results of the last build. */
export async function readLastChecks(db: Database): Promise<CheckResult[]> {
  return db.rows<CheckResult>(
    'select check_name as "check", severity, failures from ops.check_results order by check_name',
  );
}

async function countRows(db: Database, relation: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(`select count(*) as count from ${relation}`);
  return row?.count ?? 0;
}
