import { openDatabase } from '../connect.ts';
import { lakeFilePath, readManifests } from '../lake/lake.ts';
import { levelManifests } from '../lake/level-lake.ts';

/** Aggregates of the lake that ship as a file each. */
export type SeedKind = 'routeHours' | 'airportDays' | 'delayCauses';

/** Writes what a query of `sql/seed` takes of its sources, each given as the variable it knows it by. */
export async function takeFlights(
  query: string,
  sources: Record<string, string>,
  flights: string,
): Promise<void> {
  const db = await openDatabase({ memoryLimit: '1500MB' });
  try {
    await db.setVariables({ ...sources, taken_file: flights });
    await db.runFile(`seed/${query}`);
  } finally {
    db.close();
  }
}

/** Joins one kind of aggregate of every month of the lakes into a Parquet file, sorted, and returns its rows. */
export async function writeSeedFile(
  lakes: string[],
  kind: SeedKind,
  file: string,
): Promise<number> {
  const sources = (await Promise.all(lakes.map((lake) => filesIn(lake, kind)))).flat();
  // The causes of delays are twice as large as all else of their table, and no rate rests on them.
  const columns =
    kind === 'delayCauses'
      ? `year(month) as year, month(month) as month, carrier, airport,
         arr_flights, arr_del15, arr_cancelled, arr_diverted`
      : '*';
  const db = await openDatabase({ threads: 1 });
  try {
    await db.setVariables({ target: file });
    await db.run(
      `create temp table seed as
       select ${columns} from read_parquet($sources::json::varchar[], hive_partitioning = false)`,
      { sources: JSON.stringify(sources) },
    );
    await db.run(
      `copy (from seed order by all) to (getvariable('target'))
       (format parquet, compression zstd, compression_level 19)`,
    );
    const [row] = await db.rows<{ count: number }>('select count(*) as count from seed');
    return row?.count ?? 0;
  } finally {
    db.close();
  }
}

async function filesIn(lake: string, kind: SeedKind): Promise<string[]> {
  if (kind === 'delayCauses') {
    const manifests = await levelManifests(lake);
    return manifests.map(({ month, files }) =>
      lakeFilePath(lake, month, files.delayCauses, 'levels'),
    );
  }
  const manifests = await readManifests(lake);
  return manifests.flatMap(({ month, files }) =>
    files[kind] ? [lakeFilePath(lake, month, files[kind])] : [],
  );
}
