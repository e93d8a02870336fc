import { existsSync } from 'node:fs';
import path from 'node:path';
import { readSql, type Database } from '../connect.ts';
import { sha256 } from '../ground/hashes.ts';
import { VIEWS } from './models.ts';

/** Columns of manifests that the views use. Manifests of older months lack some of these columns. */
const MANIFEST = `{month: 'VARCHAR', "delayBasis": 'VARCHAR', source: 'STRUCT(name VARCHAR)',
  files: 'STRUCT(flights STRUCT(name VARCHAR), rejects STRUCT(name VARCHAR))'}`;

/** Replaces an empty list of files, because DuckDB cannot create a view over no files. */
const NO_FILES = '(select null::varchar as filename where false)';
const NO_MANIFESTS = `(select null::varchar as filename, null::varchar as "delayBasis", {'name': null::varchar} as source,
  {'flights': {'name': null::varchar}, 'rejects': {'name': null::varchar}} as files where false)`;

/**
 * Creates the views of `sql/views` that are missing or outdated. A view is outdated if its SQL has changed, if the lake
 * has files of a kind that was missing before, or if the data folder has moved. The views contain the absolute path of
 * the lake, so that any tool can use them.
 */
export async function createViews(db: Database, lakeDir: string): Promise<void> {
  const created = await db.rows<{ name: string; hash: string }>(
    'select view_name as name, sha256 as hash from ops.views_made',
  );
  const lake = await lakeRelations(db, path.resolve(lakeDir));
  for (const view of VIEWS) {
    const sql = insertRelations(await readSql(`views/${view}`), lake);
    const hash = sha256(sql);
    if (created.some((row) => row.name === view && row.hash === hash)) continue;
    await db.run(sql);
    await db.run('insert or replace into ops.views_made values ($view, $hash)', { view, hash });
  }
}

/** Files of the record of forecasts, relative to the lake. */
const RECORD_FILES = {
  frozen: ['forecasts', 'night=*', '*.forecasts.parquet'],
  cases: ['forecasts', 'scored', 'cases.parquet'],
  figures: ['forecasts', 'scored', 'figures.parquet'],
};

type LakeRelations = Record<
  'flights' | 'rejects' | 'manifests' | keyof typeof RECORD_FILES,
  string
>;

async function lakeRelations(db: Database, lakeDir: string): Promise<LakeRelations> {
  const months = (tree: string) => path.join(escapeGlob(lakeDir), tree, 'year=*', 'month=*');
  const [flights, levels] = [months('flights'), months('levels')];
  const existingPatterns = async (patterns: string[]) => {
    if (!existsSync(lakeDir)) return [];
    const counts = await Promise.all(
      patterns.map((file) => db.rows('select 1 from glob($file) limit 1', { file })),
    );
    return patterns.filter((_, index) => (counts[index]?.length ?? 0) > 0);
  };
  const flightFiles = await existingPatterns([path.join(flights, '*.flights.parquet')]);
  const rejectFiles = await existingPatterns([
    path.join(flights, '*.rejects.parquet'),
    path.join(levels, '*.rejects.parquet'),
    path.join(escapeGlob(lakeDir), '*', '*.undated.parquet'),
  ]);
  const manifests = await existingPatterns(
    [flights, levels].map((dir) => path.join(dir, 'manifest.json')),
  );
  const parquet = async (names: string[]) => {
    const files = await existingPatterns([path.join(escapeGlob(lakeDir), ...names)]);
    return files.length === 0
      ? NO_FILES
      : `read_parquet(${sqlList(files)}, filename = true, union_by_name = true, hive_partitioning = false)`;
  };
  return {
    frozen: await parquet(RECORD_FILES.frozen),
    cases: await parquet(RECORD_FILES.cases),
    figures: await parquet(RECORD_FILES.figures),
    flights:
      flightFiles.length === 0
        ? NO_FILES
        : `read_parquet(${sqlList(flightFiles)}, filename = true, union_by_name = true,
           hive_partitioning = true, hive_types = {year: integer, month: integer})`,
    rejects:
      rejectFiles.length === 0
        ? NO_FILES
        : `read_parquet(${sqlList(rejectFiles)}, filename = true, union_by_name = true, hive_partitioning = false)`,
    manifests:
      manifests.length === 0
        ? NO_MANIFESTS
        : `read_json(${sqlList(manifests)}, filename = true, columns = ${MANIFEST}, hive_partitioning = false)`,
  };
}

/** Inserts expressions into the SQL of a view, because a view cannot have parameters. The expressions read the lake. */
function insertRelations(sql: string, lake: LakeRelations): string {
  return sql.replaceAll(
    /\$(flights|rejects|manifests|frozen|cases|figures)\b/g,
    (_, name: keyof LakeRelations) => lake[name],
  );
}

function sqlList(files: string[]): string {
  return `[${files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')}]`;
}

/** Escapes a path as a glob that matches only this path. */
function escapeGlob(folder: string): string {
  return folder.replaceAll(/[[\]*?]/g, (letter) => `[${letter}]`);
}
