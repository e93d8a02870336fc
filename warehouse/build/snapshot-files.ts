import { openDatabase } from '../connect.ts';
import type { SnapshotColumn } from '../snapshots/snapshots.ts';
import { appendRows } from './append-rows.ts';

/** A forecast of a snapshot. Unknown values are absent. */
export type SnapshotForecast = {
  /** `YYYY-MM`. */
  month: string;
  provider: string;
  /** The operator. */
  airline: string;
  origin: string;
  destination: string;
  dep_hour?: number;
  score: number;
  late_probability?: number;
  disrupted_probability?: number;
  confidence: number;
  record_flights: number;
  /** Codes of the airlines on the tickets, separated by blanks. */
  sold_by: string;
  sold_by_inferred: number;
  sold_by_confidence?: number;
};

/** Writes forecasts to a Parquet file and a CSV file. Returns the columns of both. */
export async function writeSnapshotFiles(
  files: { parquet: string; csv: string },
  forecasts: readonly SnapshotForecast[],
): Promise<SnapshotColumn[]> {
  const db = await openDatabase({ threads: 1 });
  try {
    await db.runFile('snapshot/forecasts');
    await appendRows(db, 'snapshot_forecasts', forecasts);
    await db.runFile('snapshot/write_parquet', { file: files.parquet });
    await db.runFile('snapshot/write_csv', { file: files.csv });
    return await db.rows<SnapshotColumn>(
      `select column_name as name, lower(data_type) as type, comment as about
       from duckdb_columns() where table_name = 'snapshot_forecasts' order by column_index`,
    );
  } finally {
    db.close();
  }
}
