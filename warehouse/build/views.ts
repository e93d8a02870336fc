import { existsSync } from 'node:fs';
import path from 'node:path';
import { readSql, type Database } from '../connect.ts';
import { sha256 } from '../ground/sha256.ts';
import { VIEWS } from './models.ts';

/** What a manifest tells the views; those of older months lack some of it. */
const MANIFEST = `{month: 'VARCHAR', "delayBasis": 'VARCHAR', source: 'STRUCT(name VARCHAR)',
  files: 'STRUCT(flights STRUCT(name VARCHAR), rejects STRUCT(name VARCHAR))'}`;

/** Stands for files there are none of yet: DuckDB makes no view over them. */
const NO_FILES = '(select null::varchar as filename where false)';
const NO_MANIFESTS = `(select null::varchar as filename, null::varchar as "delayBasis", {'name': null::varchar} as source,
  {'flights': {'name': null::varchar}, 'rejects': {'name': null::varchar}} as files where false)`;

/**
 * Makes the views of `sql/views` that are not as they should be: new or changed ones, and after the first file of a kind came
 * into the lake, or the data folder was moved. They name the lake by its absolute path, so that any tool can follow them.
 */
export async function makeViews(db: Database, lakeDir: string): Promise<void> {
  const made = await db.rows<{ name: string; hash: string }>(
    'select view_name as name, sha256 as hash from ops.views_made',
  );
  const lake = await lakeRelations(db, path.resolve(lakeDir));
  for (const view of VIEWS) {
    const sql = placed(await readSql(`views/${view}`), lake);
    const hash = sha256(sql);
    if (made.some((one) => one.name === view && one.hash === hash)) continue;
    await db.run(sql);
    await db.run('insert or replace into ops.views_made values ($view, $hash)', { view, hash });
  }
}

type LakeRelations = Record<'flights' | 'rejects' | 'manifests', string>;

async function lakeRelations(db: Database, lakeDir: string): Promise<LakeRelations> {
  const months = (tree: string) => path.join(globbed(lakeDir), tree, 'year=*', 'month=*');
  const [flights, levels] = [months('flights'), months('levels')];
  const found = async (patterns: string[]) => {
    if (!existsSync(lakeDir)) return [];
    const counts = await Promise.all(
      patterns.map((file) => db.rows('select 1 from glob($file) limit 1', { file })),
    );
    return patterns.filter((_, index) => (counts[index]?.length ?? 0) > 0);
  };
  const ofFlights = await found([path.join(flights, '*.flights.parquet')]);
  const ofRejects = await found([
    path.join(flights, '*.rejects.parquet'),
    path.join(levels, '*.rejects.parquet'),
    path.join(globbed(lakeDir), '*', '*.undated.parquet'),
  ]);
  const manifests = await found([flights, levels].map((dir) => path.join(dir, 'manifest.json')));
  return {
    flights:
      ofFlights.length === 0
        ? NO_FILES
        : `read_parquet(${sqlList(ofFlights)}, filename = true, union_by_name = true,
           hive_partitioning = true, hive_types = {year: integer, month: integer})`,
    rejects:
      ofRejects.length === 0
        ? NO_FILES
        : `read_parquet(${sqlList(ofRejects)}, filename = true, union_by_name = true, hive_partitioning = false)`,
    manifests:
      manifests.length === 0
        ? NO_MANIFESTS
        : `read_json(${sqlList(manifests)}, filename = true, columns = ${MANIFEST}, hive_partitioning = false)`,
  };
}

/** A view takes no parameters: what it reads stands in its text. */
function placed(sql: string, lake: LakeRelations): string {
  return sql.replaceAll(
    /\$(flights|rejects|manifests)\b/g,
    (_, name: keyof LakeRelations) => lake[name],
  );
}

function sqlList(files: string[]): string {
  return `[${files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')}]`;
}

/** The path as a glob that matches it alone. */
function globbed(folder: string): string {
  return folder.replaceAll(/[[\]*?]/g, (letter) => `[${letter}]`);
}
