import { openDatabase } from '../connect.ts';
import { findOffending, lastChecks, type Found } from './build.ts';
import { CHECKS } from './models.ts';

/** A check as it is now, and how many rows it found at the last build; absent where that did not have it. */
export type FoundNow = Found & { before?: number };

/** Runs checks on a DuckDB file that stays as it is. Throws `WarehouseBusyError` while a job has it. */
export async function checkNow(
  file: string,
  now: Date,
  names: readonly string[] = CHECKS,
): Promise<FoundNow[]> {
  const db = await openDatabase({ path: file, readOnly: true });
  try {
    const last = await lastChecks(db);
    const found = await findOffending(db, names, now);
    return found.map((one) => {
      const before = last.find(({ check }) => check === one.check)?.failures;
      return { ...one, ...(before !== undefined && { before }) };
    });
  } finally {
    db.close();
  }
}
