import { openDatabase, readSql, type Database } from '../connect.ts';
import { lakeFilePath, readManifests } from '../lake/lake.ts';
import { readLevelManifests } from '../lake/level-lake.ts';
import { HOME_PROVIDER, providerLakeDir } from '../paths.ts';

/** Kinds of counts that ship with the code. The counts of each kind come from the lake and are in one file. */
export type SeedKind = 'routeHours' | 'airportDays' | 'delayCauses' | 'flightNumbers';

/**
 * Runs a query of `sql/seed` and writes the resulting flights to a file. `sources` has a source file for each variable
 * of the query.
 */
export async function exportFlights(
  query: string,
  sources: Record<string, string>,
  flights: string,
): Promise<void> {
  const db = await openDatabase({ memoryLimit: '1500MB' });
  try {
    await db.setVariables({ ...sources, flights_file: flights });
    await db.runFile(`seed/${query}`);
  } finally {
    db.close();
  }
}

/**
 * Combines the counts of one kind from all months of the lakes into a sorted Parquet file. Returns its number of rows.
 */
export async function writeSeedFile(
  lakes: string[],
  kind: SeedKind,
  file: string,
  provider?: string,
): Promise<number> {
  const ownLakes = lakes.map((lake) => providerLakeDir(lake, provider ?? HOME_PROVIDER));
  if (kind === 'flightNumbers') return writeFlightNumbers(ownLakes, file);
  const sources = (await Promise.all(ownLakes.map((lake) => filesIn(lake, kind)))).flat();
  // The columns by cause are left out: they take twice the space of all other columns, and no rate uses them. No source
  // of the seed has brands.
  const columns =
    kind === 'delayCauses'
      ? `year(month) as year, month(month) as month, carrier, airport,
         arr_flights, arr_del15, arr_cancelled, arr_diverted`
      : `columns(lambda name: name <> 'brand')${provider === undefined ? '' : `, 1 as provider_${provider}`}`;
  return writeRows(file, (db) =>
    db.run(
      `create temp table seed as
       select ${columns} from read_parquet($sources::json::varchar[], hive_partitioning = false)`,
      { sources: JSON.stringify(sources) },
    ),
  );
}

/** Writes the flight numbers of all months of the lakes. A number is written only for its newest month. */
async function writeFlightNumbers(lakes: string[], file: string): Promise<number> {
  const months = await Promise.all(
    lakes.map(async (lake) =>
      (await readManifests(lake)).flatMap(({ month, files: { flights } }) =>
        flights ? [{ month, file: lakeFilePath(lake, month, flights) }] : [],
      ),
    ),
  ).then((all) => all.flat());
  return writeRows(file, async (db) => {
    const numbers = await readSql('lake/month_flight_numbers');
    for (const [at, { month, file: flights }] of months.entries()) {
      const target = at === 0 ? 'create temp table numbers as' : 'insert into numbers';
      await db.run(`${target} ${numbers}`, { file: flights, month: `${month}-01` });
    }
    await db.run(
      `create temp table seed as from numbers
       qualify dense_rank() over (partition by brand, flight_number order by month desc) = 1`,
    );
  });
}

/** Calls `fill` to fill the table `seed`, writes this table, sorted, to a file, and returns its number of rows. */
async function writeRows(file: string, fill: (db: Database) => Promise<void>): Promise<number> {
  const db = await openDatabase({ threads: 1 });
  try {
    await db.setVariables({ target: file });
    await fill(db);
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

async function filesIn(lake: string, kind: Exclude<SeedKind, 'flightNumbers'>): Promise<string[]> {
  if (kind === 'delayCauses') {
    const manifests = await readLevelManifests(lake);
    return manifests.map(({ month, files }) =>
      lakeFilePath(lake, month, files.delayCauses, 'levels'),
    );
  }
  const manifests = await readManifests(lake);
  return manifests.flatMap(({ month, files }) =>
    files[kind] ? [lakeFilePath(lake, month, files[kind])] : [],
  );
}
