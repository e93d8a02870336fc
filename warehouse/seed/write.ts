import { openDatabase } from '../connect.ts';
import { lakeFilePath, readManifests } from '../lake/lake.ts';

/** Writes the flights of 2018 from the two by-month files into one, no flight twice. */
export async function writeFlights2018(files: {
  carriers: string;
  airports: string;
  flights: string;
}): Promise<void> {
  const db = await openDatabase({ memoryLimit: '1500MB' });
  try {
    await db.run(
      `set variable carriers_file = $carriers;
       set variable airports_file = $airports;
       set variable flights_file = $flights`,
      files,
    );
    await db.runFile('seed/us_2018_flights');
  } finally {
    db.close();
  }
}

/** Joins one kind of aggregate of every lake month into a Parquet file, sorted, and returns its rows. */
export async function writeSeedFile(
  lakeDir: string,
  kind: 'routeHours' | 'airportDays',
  file: string,
): Promise<number> {
  const manifests = await readManifests(lakeDir);
  const sources = manifests.flatMap(({ month, files }) =>
    files[kind] ? [lakeFilePath(lakeDir, month, files[kind])] : [],
  );
  const db = await openDatabase({ threads: 1 });
  try {
    await db.run(
      `set variable target = $file;
       create temp table seed as from read_parquet($sources::json::varchar[], hive_partitioning = false);
       copy (from seed order by all) to (getvariable('target'))
       (format parquet, compression zstd, compression_level 19)`,
      { file, sources: JSON.stringify(sources) },
    );
    const [row] = await db.rows<{ count: number }>('select count(*) as count from seed');
    return row?.count ?? 0;
  } finally {
    db.close();
  }
}
