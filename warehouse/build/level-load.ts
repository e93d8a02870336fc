import { firstDay } from '../ground/dates.ts';
import { inTransaction, type Database } from '../connect.ts';
import { LakeMonthMissingError } from '../errors.ts';
import { verifiedLakeFile } from '../lake/lake.ts';
import { readLevelManifests, readLevelManifest, type LevelManifest } from '../lake/level-lake.ts';

/**
 * Number of months from the end of a month until BTS publishes the table of that month. `published_from` in
 * `warehouse/sql/effects/groups.sql` has the same rule.
 */
const MONTHS_UNTIL_PUBLISHED = 2;

/**
 * Replaces months (`YYYY-MM`) of the delay-cause table in the warehouse, in one transaction. Returns the number of
 * flights in these months. First checks every file against its SHA-256.
 */
export async function loadDelayCauses(
  db: Database,
  lakeDir: string,
  months: string[],
): Promise<number> {
  const manifests = await Promise.all(
    months.map(async (month) => {
      const manifest = await readLevelManifest(lakeDir, month);
      if (!manifest) throw new LakeMonthMissingError(`${month} of the delay-cause table`);
      return manifest;
    }),
  );
  return insertMonths(db, lakeDir, manifests);
}

/** Removes a month (`YYYY-MM`) of the delay-cause table from the warehouse, in one transaction. */
export async function unloadDelayCauses(db: Database, month: string): Promise<void> {
  const months = JSON.stringify([{ month: `${month}-01` }]);
  await inTransaction(db, () => db.run(DELETE_MONTHS, { months }));
}

/**
 * Loads the months of the delay-cause table that were known on a day (`YYYY-MM-DD`), and returns these months. Use it
 * for a warehouse that has no months of that table yet. A month is known from two months after its end. If several
 * lakes have a month, the first lake in the list supplies it.
 */
export async function loadDelayCausesBefore(
  db: Database,
  lakes: string[],
  day: string,
): Promise<string[]> {
  const seenMonths = new Set<string>();
  for (const lake of lakes) {
    const manifests = await readLevelManifests(lake);
    const knownMonths = manifests.filter(
      ({ month }) => !seenMonths.has(month) && publishedFrom(month) <= day,
    );
    await insertMonths(db, lake, knownMonths);
    for (const { month } of knownMonths) seenMonths.add(month);
  }
  return [...seenMonths].toSorted();
}

/** Returns the first day (`YYYY-MM-DD`) on which the table of a month (`YYYY-MM`) counts as known. */
export function publishedFrom(month: string): string {
  return firstDay(month, MONTHS_UNTIL_PUBLISHED + 1);
}

async function insertMonths(
  db: Database,
  lakeDir: string,
  manifests: LevelManifest[],
): Promise<number> {
  if (manifests.length === 0) return 0;
  const files = await Promise.all(
    manifests.map((one) => verifiedLakeFile(lakeDir, one.month, one.files.delayCauses, 'levels')),
  );
  return inTransaction(db, async () => {
    const months = JSON.stringify(manifests.map(monthRow));
    await db.run(DELETE_MONTHS, { months });
    // Without `hive_partitioning = false`, `month=` in the folder name would replace the column `month` of the rows.
    await db.run(
      `insert into raw.delay_causes by name
       from read_parquet($files::json::varchar[], hive_partitioning = false)`,
      { files: JSON.stringify(files) },
    );
    await db.run(INSERT_MONTHS, { months });
    const [row] = await db.rows<{ flights: number }>(COUNT_FLIGHTS, { months });
    return row?.flights ?? 0;
  });
}

const MONTHS = `(select unnest(from_json($months::json, '[{"month": "date"}]'), recursive := true))`;

const DELETE_MONTHS = `
  delete from raw.delay_causes where month in ${MONTHS};
  delete from raw.delay_cause_months where month in ${MONTHS}`;

const COUNT_FLIGHTS = `
  select coalesce(sum(arr_flights), 0)::bigint as flights
  from raw.delay_causes where month in ${MONTHS}`;

const INSERT_MONTHS = `
  insert into raw.delay_cause_months by name
  select unnest(
    from_json($months::json, '[{"month": "date", "source_name": "varchar", "source_sha256": "varchar",
      "rows_read": "bigint", "rows_loaded": "bigint", "rows_empty": "bigint", "rows_rejected": "bigint",
      "file_sha256": "varchar", "code_version": "varchar", "extracted_at": "timestamptz"}]'),
    recursive := true
  )`;

function monthRow({ month, source, rows, files, codeVersion, extractedAt }: LevelManifest) {
  return {
    month: `${month}-01`,
    source_name: source.name,
    source_sha256: source.sha256,
    rows_read: rows.read,
    rows_loaded: rows.loaded,
    rows_empty: rows.empty,
    rows_rejected: rows.rejected,
    file_sha256: files.delayCauses.sha256,
    code_version: codeVersion,
    extracted_at: extractedAt,
  };
}
