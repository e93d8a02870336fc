import path from 'node:path';
import { openDatabase } from '../connect.ts';
import { readAirports } from './airports.ts';

/**
 * Parquet file with the result of `readAirports`, written by `make airports`. Reading and joining the packages would
 * take half a second in every process that fills a warehouse.
 */
export const AIRPORT_TABLE = path.join(import.meta.dirname, 'airports.parquet');

const COLUMNS =
  '[{"iata":"varchar","name":"varchar","city":"varchar","country":"varchar","country_code":"varchar","time_zone":"varchar","latitude":"double","longitude":"double"}]';

/** Writes the table, in code order, and returns its number of rows. */
export async function writeAirportTable(file: string): Promise<number> {
  const airports = await readAirports();
  const rows = airports.map(({ countryCode, timeZone, ...rest }) => ({
    ...rest,
    country_code: countryCode,
    time_zone: timeZone,
  }));
  const db = await openDatabase({ threads: 1 });
  try {
    await db.setVariables({ target: file });
    await db.run(
      `create temp table airports as select unnest(from_json($rows::json, $columns), recursive := true)`,
      { rows: JSON.stringify(rows), columns: COLUMNS },
    );
    await db.run(
      `copy (from airports order by iata) to (getvariable('target'))
       (format parquet, compression zstd, compression_level 19)`,
    );
    return rows.length;
  } finally {
    db.close();
  }
}
