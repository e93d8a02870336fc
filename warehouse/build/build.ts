import { dateAt } from '../ground/dates.ts';
import { readSql, type CellObject, type Database, inTransaction } from '../connect.ts';
import { estimateEffects } from './effects.ts';
import { estimateOutcomes } from './outcomes.ts';
import { CHECKS, MODELS } from './models.ts';
import {
  highestSeverity,
  parseCheckHeader,
  severityOf,
  type CheckHeader,
  type Severity,
} from './check-header.ts';
import { sha256 } from '../ground/hashes.ts';
import type { BuildReport, CheckResult } from './reports.ts';
import type { Progress } from '../progress.ts';

const FINGERPRINT_LENGTH = 12;

/**
 * A check with its offending rows, errors first. If no row offends, `severity` is the highest severity that the check
 * can have.
 */
export type CheckFindings = CheckHeader & { check: string; severity: Severity; rows: CellObject[] };

/** Rebuilds every model in order and returns the rows of each mart. */
export async function buildModels(db: Database, progress: Progress): Promise<BuildReport['rows']> {
  // Delete the check results of the earlier build first. If this build stops halfway, they must not allow a publish.
  await db.run('delete from ops.check_results');
  for (const [index, model] of MODELS.entries()) {
    await buildModel(db, model);
    progress(index + 1, MODELS.length, model);
  }
  return countMarts(db);
}

/** Rebuilds one model; the models it reads must exist. */
export async function buildModel(db: Database, model: string): Promise<void> {
  // Only these two marts need several steps over the same rows. These steps are in TypeScript.
  if (model === 'marts/delay_effects') await estimateEffects(db);
  if (model === 'marts/outcome_effects') await estimateOutcomes(db);
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

/**
 * Runs every check of the service. Saves their results, together with the results of a user's checks (`own`), in
 * `ops.check_results`. They replace the results of the last build.
 */
export async function runChecks(
  db: Database,
  now: Date,
  own: readonly CheckResult[] = [],
): Promise<CheckResult[]> {
  const results = [...(await findOffendingRows(db, CHECKS, now)).map(toResult), ...own];
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

/** Returns the result of a check without its rows. */
export function toResult({ check, severity, rows }: CheckFindings): CheckResult {
  const fingerprint = rows.length > 0 && { fingerprint: fingerprintOf(severity, rows) };
  return { check, severity, failures: rows.length, ...fingerprint };
}

/**
 * Hashes the severity and the texts of offending rows, such as names and months. Counts are not hashed, because each
 * load changes them.
 */
function fingerprintOf(severity: Severity, rows: CellObject[]): string {
  const texts = rows.map((row) =>
    JSON.stringify(Object.values(row).filter((cell) => typeof cell !== 'number')),
  );
  return sha256([severity, ...texts.toSorted()].join('\n')).slice(0, FINGERPRINT_LENGTH);
}

/** Runs checks and returns their offending rows; `read` returns the SQL of a check. */
export async function findOffendingRows(
  db: Pick<Database, 'rows' | 'setVariables'>,
  names: readonly string[],
  now: Date,
  read: (check: string) => Promise<string> = (check) => readSql(`checks/${check}`),
): Promise<CheckFindings[]> {
  const findings: CheckFindings[] = [];
  await db.setVariables({ today: dateAt(now) });
  for (const check of names) {
    const sql = await read(check);
    const header = parseCheckHeader(check, sql);
    const bounds = header.bounds.map(({ name, value }) => [name, value] as const);
    const found = await db.rows<CellObject>(sql, Object.fromEntries(bounds));
    findings.push({ check, ...header, ...judgeRows(found, header) });
  }
  return findings;
}

/** Returns the rows that reach a threshold, errors first, and their highest severity. */
function judgeRows(
  found: CellObject[],
  { thresholds }: CheckHeader,
): Pick<CheckFindings, 'severity' | 'rows'> {
  const bySeverity = Map.groupBy(found, (row) => severityOf(row, thresholds));
  const [errors, warnings] = [bySeverity.get('error') ?? [], bySeverity.get('warn') ?? []];
  const rows = [...errors, ...warnings];
  if (rows.length === 0) return { severity: highestSeverity(thresholds), rows };
  return { severity: errors.length > 0 ? 'error' : 'warn', rows };
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
