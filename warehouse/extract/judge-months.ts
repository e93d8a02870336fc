import type { StagedMonth, TableConflict } from './staged-month.ts';
import type { Database } from '../connect.ts';
import { isIntact, lakeFilePath } from '../lake/lake.ts';
import { readCompleteness } from '../lake/completeness.ts';
import { readValidLevelManifest } from '../lake/level-lake.ts';

/**
 * Adds two facts to each staged month of flights: its completeness, and its conflict with BTS's delay-cause table, if
 * there is one. If the lake has no intact delay-cause table for a month, the completeness is judged by the flights
 * alone.
 */
export async function judgeMonths(
  db: Database,
  lakeDir: string,
  months: StagedMonth[],
): Promise<StagedMonth[]> {
  const files = await listLevelFiles(lakeDir, months);
  if (files.length > 0) await db.runFile('compare/level_cells', { files: JSON.stringify(files) });
  const completeness = await readCompleteness(db);
  const conflicts = new Map(
    (await db.fileRows<TableConflict & { month: string }>('compare/table_conflicts')).map(
      ({ month, ...rest }) => [month, rest],
    ),
  );
  return months.map((one) => {
    const conflict = conflicts.get(one.month);
    const known = completeness.get(one.month);
    return {
      ...one,
      ...(known && { completeness: known }),
      ...(conflict && conflict.beyond > 0 && { conflict }),
    };
  });
}

async function listLevelFiles(lakeDir: string, months: StagedMonth[]): Promise<string[]> {
  const files: string[] = [];
  for (const { month } of months) {
    const manifest = await readValidLevelManifest(lakeDir, month);
    if (!manifest || !(await isIntact(lakeDir, manifest, 'levels'))) continue;
    files.push(lakeFilePath(lakeDir, month, manifest.files.delayCauses, 'levels'));
  }
  return files;
}
