import { openDatabase } from '../connect.ts';
import { findOffendingRows, readLastChecks, type CheckFindings } from './build.ts';
import { CHECKS } from './models.ts';
import { findUserFindings } from './user-checks.ts';
import type { UserFile } from './user-sql.ts';

/**
 * Current result of a check. `failuresBefore` is the number of offending rows at the last build; absent if that build
 * did not run the check.
 */
export type CurrentFindings = CheckFindings & { failuresBefore?: number };

/** Runs checks on a DuckDB file without changing it. Throws `WarehouseBusyError` while a job has the file open. */
export async function checkNow(
  file: string,
  now: Date,
  names: readonly string[] = CHECKS,
  own: readonly UserFile[] = [],
): Promise<CurrentFindings[]> {
  const db = await openDatabase({ path: file, readOnly: true });
  try {
    const last = await readLastChecks(db);
    const findings = [
      ...(await findOffendingRows(db, names, now)),
      ...(await findUserFindings(db, own, now)),
    ];
    return findings.map((one) => {
      const failuresBefore = last.find(({ check }) => check === one.check)?.failures;
      return { ...one, ...(failuresBefore !== undefined && { failuresBefore }) };
    });
  } finally {
    db.close();
  }
}
