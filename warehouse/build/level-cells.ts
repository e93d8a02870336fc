import { openDatabase } from '../connect.ts';
import { HistoryMissingError, LakeMonthMissingError } from '../errors.ts';
import { verifiedLakeFile } from '../lake/lake.ts';
import { readLevelManifest } from '../lake/level-lake.ts';
import { buildModel } from './build.ts';
import { estimateLevels } from './effects.ts';
import { loadDelayCausesBefore } from './level-load.ts';
import { migrate } from './migrate.ts';

/**
 * An airline's flights to one airport in one month, with three forecasts of the share that arrives 15 minutes late or
 * more.
 */
export type LevelCell = {
  carrier: string;
  airport: string;
  arrived_count: number;
  late_count: number;
  /** Forecast from the levels of the airline, the airport and the month of the year. */
  levels: number;
  /** Simple forecasts: the shrunk rate of the same month a year before, and of the newest twelve months. */
  last_year: number;
  last_twelve: number;
};

/** Models that a forecast from levels reads. */
const LEVEL_MODELS = [
  'intermediate/int_level_counts',
  'intermediate/int_level_months',
  'intermediate/int_level_ahead',
] as const;

/**
 * Forecasts every airline at every airport for a month (`YYYY-MM`) of the delay-cause table, from the data known at the
 * start of that month. Throws `LakeMonthMissingError` if the lake does not have the month, and `HistoryMissingError` if
 * no data was known before the month.
 */
export async function forecastLevelCells(lakeDir: string, month: string): Promise<LevelCell[]> {
  const day = `${month}-01`;
  const manifest = await readLevelManifest(lakeDir, month);
  if (!manifest) throw new LakeMonthMissingError(`${month} of the delay-cause table`);
  const db = await openDatabase();
  try {
    await migrate(db);
    const knownMonths = await loadDelayCausesBefore(db, [lakeDir], day);
    if (knownMonths.length === 0) throw new HistoryMissingError(day);
    for (const model of LEVEL_MODELS) await buildModel(db, model);
    await estimateLevels(db);
    const { delayCauses } = manifest.files;
    const file = await verifiedLakeFile(lakeDir, month, delayCauses, 'levels');
    return await db.fileRows<LevelCell>('training/level_forecasts', { month: day, file });
  } finally {
    db.close();
  }
}
