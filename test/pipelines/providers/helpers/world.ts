import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { openDatabase } from '../../../../warehouse/connect.ts';
import { lakeFilePath, readManifests } from '../../../../warehouse/lake/lake.ts';
import { providerLakeDir } from '../../../../warehouse/paths.ts';
import { extractToLake, REAL_FLIGHTS } from '../../../helpers/flight-files.ts';

const WORLD = path.join(REAL_FLIGHTS, '../world');

/**
 * Extracts a real file. Returns the report, the rejects, and a function for queries on two tables: `lake` has the route
 * hours, and `raw` has the file.
 */
export async function loadWorldFile(t: ExecutionContext, name: string, raw: string) {
  const file = path.join(WORLD, name);
  const { lakeDir, report } = await extractToLake(t, file);
  t.is(report.rowsLoaded + report.rowsRejected, report.rowsRead);
  t.true(report.months.every(({ outcome }) => outcome === 'written'));
  const ownLake = providerLakeDir(lakeDir, report.source.provider ?? 'bts');
  const manifests = await readManifests(ownLake);
  const files = manifests.map(({ month, files: { routeHours } }) =>
    lakeFilePath(ownLake, month, routeHours),
  );
  const db = await openDatabase();
  t.teardown(() => db.close());
  await db.setVariables({ files: JSON.stringify(files), file });
  await db.run(`
    create temp table lake as
    from read_parquet(getvariable('files')::json::varchar[], hive_partitioning = false, union_by_name = true);
    create temp table raw as ${raw}`);
  const counted = await db.rows('select count(*)::int as rows from raw');
  t.deepEqual(counted, [{ rows: report.rowsRead }]);
  const rejects: Record<string, number> = {};
  for (const month of report.months) {
    for (const [reason, rows] of Object.entries(month.rejects)) {
      rejects[reason] = (rejects[reason] ?? 0) + rows;
    }
  }
  return { report, rejects, rows: db.rows };
}

/** Query over a CSV file with a header. */
export const csv = (options = '') =>
  `from read_csv(getvariable('file'), header = true, all_varchar = true${options})`;

/** Sums of the route hours of a file. */
export const SUMS = `select
    sum(flight_count)::int as flights, sum(cancelled_count)::int as cancelled, sum(completed_count)::int as completed,
    sum(delayed15_count)::int as late15, sum(delayed_count)::int as late30
  from lake`;
