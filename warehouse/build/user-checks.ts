import type { Database } from '../connect.ts';
import { findOffendingRows, toResult, type CheckFindings } from './build.ts';
import { checkQuery, messageOf, withTimeLimit } from './build-user-sql.ts';
import { highestSeverity, parseCheckHeader } from './check-header.ts';
import type { CheckResult } from './reports.ts';
import type { UserFile, UserSql } from './user-sql.ts';

/**
 * Runs a user's checks. If a check cannot run, it fails with its own severity, so that a check with severity `error`
 * stops the publish.
 */
export async function runUserChecks(
  db: Database,
  { checks }: Pick<UserSql, 'checks'>,
  now: Date,
): Promise<CheckResult[]> {
  return (await findUserFindings(db, checks, now)).map((findings) => ({
    ...toResult(findings),
    ...(findings.problem !== undefined && { problem: findings.problem }),
  }));
}

/** Returns the offending rows of a user's checks. For a check that cannot run, returns one row with the problem. */
export async function findUserFindings(
  db: Database,
  checks: readonly UserFile[],
  now: Date,
): Promise<(CheckFindings & { problem?: string })[]> {
  const findings: (CheckFindings & { problem?: string })[] = [];
  for (const { name, file, sql } of checks) {
    const check = name.replace('checks/', '');
    try {
      const read = async () => headerOf(sql) + (await checkQuery(db, sql));
      const [found] = await withTimeLimit(db, () => findOffendingRows(db, [check], now, read));
      if (found) findings.push(found);
    } catch (error) {
      const problem = `${file}: ${messageOf(error)}`;
      const header = parseCheckHeader(check, sql);
      const severity = highestSeverity(header.thresholds);
      findings.push({ check, ...header, severity, rows: [{ problem }], problem });
    }
  }
  return findings;
}

/** Returns the comment lines at the beginning of a check. They contain severity and limits. */
function headerOf(sql: string): string {
  return /^(?:--.*\n)*/.exec(sql)?.[0] ?? '';
}
