import { openDatabase } from '../connect.ts';
import { HistoryMissingError } from '../errors.ts';
import { verifiedLakeFile } from '../lake/lake.ts';
import { readLevelManifest } from '../lake/level-lake.ts';
import { LakeMonthMissingError } from '../errors.ts';
import { loadDelayCausesBefore } from './level-load.ts';
import { migrate } from './migrate.ts';

/** An airline's flights that arrived at an airport in a month, and what was forecast of the share 15 minutes late or more. */
export type LevelCell = {
  carrier: string;
  airport: string;
  arrived_count: number;
  late_count: number;
  /** From the same month a year before, and from the newest twelve months; shrunk. */
  last_year: number;
  last_twelve: number;
};

/**
 * The airline-airports of a month (`YYYY-MM`) of the delay-cause table, as they were forecast at its begin. Throws
 * `LakeMonthMissingError` for a month the lake does not hold, `HistoryMissingError` where nothing was known before it.
 */
export async function levelCells(lakeDir: string, month: string): Promise<LevelCell[]> {
  const day = `${month}-01`;
  const manifest = await readLevelManifest(lakeDir, month);
  if (!manifest) throw new LakeMonthMissingError(`${month} of the delay-cause table`);
  const db = await openDatabase();
  try {
    await migrate(db);
    const known = await loadDelayCausesBefore(db, [lakeDir], day);
    if (known.length === 0) throw new HistoryMissingError(day);
    const { delayCauses } = manifest.files;
    const file = await verifiedLakeFile(lakeDir, month, delayCauses, 'levels');
    return await db.fileRows<LevelCell>('training/level_baselines', { month: day, file });
  } finally {
    db.close();
  }
}
