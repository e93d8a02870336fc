import { openDatabase } from '../connect.ts';
import { HistoryMissingError, LakeMonthMissingError } from '../errors.ts';
import { verifiedLakeFile } from '../lake/lake.ts';
import { readLevelManifest } from '../lake/level-lake.ts';
import { buildModel } from './build.ts';
import { estimateLevels } from './effects.ts';
import { loadDelayCausesBefore } from './level-load.ts';
import { migrate } from './migrate.ts';

/** An airline's flights that arrived at an airport in a month, and what was forecast of the share 15 minutes late or more. */
export type LevelCell = {
  carrier: string;
  airport: string;
  arrived_count: number;
  late_count: number;
  /** What the levels of airline, airport and month of the year come to. */
  levels: number;
  /** Rates of the same month a year before, and of the newest twelve months; shrunk. */
  last_year: number;
  last_twelve: number;
};

/** The models that levels ahead are read from. */
const LEVEL_MODELS = [
  'intermediate/int_level_counts',
  'intermediate/int_level_months',
  'intermediate/int_level_ahead',
] as const;

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
    for (const model of LEVEL_MODELS) await buildModel(db, model);
    await estimateLevels(db);
    const { delayCauses } = manifest.files;
    const file = await verifiedLakeFile(lakeDir, month, delayCauses, 'levels');
    return await db.fileRows<LevelCell>('training/level_forecasts', { month: day, file });
  } finally {
    db.close();
  }
}
