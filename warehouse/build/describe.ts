import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inTransaction, readSql, type Database } from '../connect.ts';
import { sha256 } from '../ground/hashes.ts';
import { MODELS, VIEWS } from './models.ts';

const SQL_DIR = path.join(import.meta.dirname, '../sql');
const COMMON_COLUMNS_FILE = path.join(SQL_DIR, 'columns.txt');

/**
 * Header of a SQL file: a text about the relation, and the descriptions of columns from its lines `--   column: text`.
 */
export type Description = { comment: string; columns: Map<string, string> };

/**
 * Parses the header of a SQL file. A line that starts with three blanks has the names of columns, a colon and the
 * description of these columns. A line with a deeper indent continues the line before.
 */
export function parseDescription(sql: string): Description {
  const header = /^(?:--.*\n)*/.exec(sql)?.[0] ?? '';
  const prose: string[] = [];
  const columns: [string, string][] = [];
  for (const line of header.trimEnd().split('\n')) {
    const column = /^-- {3}(\w+(?:, \w+)*): (.*)$/.exec(line);
    const moreText = /^-- {4,}(.*)$/.exec(line);
    if (column) columns.push([column[1] as string, column[2] as string]);
    else if (moreText && columns.length > 0) (columns.at(-1) as string[])[1] += ` ${moreText[1]}`;
    else prose.push(line.replace(/^-- ?/, ''));
  }
  return { comment: prose.join(' '), columns: new Map(columns.flatMap(toColumnTexts)) };
}

/** Reads the descriptions of columns that have the same meaning in every table. */
function readCommonColumns(): Map<string, string> {
  const text = readFileSync(COMMON_COLUMNS_FILE, 'utf8').replaceAll(/\n +/g, ' ');
  return new Map(
    [...text.matchAll(/^(\w+): (.*)$/gm)].map(([, name, words]) => [
      name as string,
      words as string,
    ]),
  );
}

/** Name of a row in `ops.views_made`. This row has the hash of the comments on the tables that migrations create. */
const TABLES = 'tables';

/**
 * Sets the comments on the tables that migrations create, and on their columns. The comments must not go through the
 * write-ahead log: if a table has a column with a default, DuckDB cannot replay column comments.
 */
export async function describeTables(db: Database): Promise<void> {
  const commonColumns = readCommonColumns();
  await db.runFile('tables');
  const missing = (await listColumns(db)).filter(({ comment, schema, table }) => {
    return comment === null && !isModelOrView(schema, table);
  });
  const statements = missing.flatMap(({ schema, table, name }) => {
    const words = commonColumns.get(name);
    return words === undefined ? [] : [columnComment(schema, table, name, words)];
  });
  if (statements.length > 0) await inTransaction(db, () => db.run(statements.join(';\n')));
  await db.run('insert or replace into ops.views_made values ($name, $hash)', {
    name: TABLES,
    hash: await tablesHash(),
  });
}

/** Whether the comments on the tables that migrations create are up to date. */
export async function areTablesDescribed(db: Database): Promise<boolean> {
  const rows = await db.rows<{ sha256: string }>(
    'select sha256 from ops.views_made where view_name = $name',
    { name: TABLES },
  );
  return rows[0]?.sha256 === (await tablesHash());
}

async function tablesHash(): Promise<string> {
  return sha256((await readSql('tables')) + readFileSync(COMMON_COLUMNS_FILE, 'utf8'));
}

/** Sets missing or outdated comments of models, views and their columns. Rebuilding a table removes its comments. */
export async function describeModels(
  db: Database,
  own: readonly { name: string; sql: string }[] = [],
): Promise<void> {
  const commonColumns = readCommonColumns();
  const files = [...MODELS, ...VIEWS.map((view) => `views/${view}`)].map((name) => ({
    name,
    sql: readFileSync(path.join(SQL_DIR, `${name}.sql`), 'utf8'),
  }));
  const described = new Map(
    [...files, ...own].map(({ name, sql }) => [
      name.replace('/', '.').replace('views.', 'main.'),
      parseDescription(sql),
    ]),
  );
  const statements: string[] = [];
  for (const { schema, name, kind, comment } of await listRelations(db)) {
    const text = described.get(`${schema}.${name}`)?.comment;
    if (text !== undefined && text !== comment) {
      statements.push(`comment on ${kind} ${schema}.${name} is ${quote(text)}`);
    }
  }
  for (const { schema, table, name, comment } of await listColumns(db)) {
    const description = described.get(`${schema}.${table}`);
    const text = description && (description.columns.get(name) ?? commonColumns.get(name));
    if (text !== undefined && text !== comment) {
      statements.push(columnComment(schema, table, name, text));
    }
  }
  if (statements.length > 0) await inTransaction(db, () => db.run(statements.join(';\n')));
}

/** Whether the relation is a model or view, created by a SQL file. */
function isModelOrView(schema: string, name: string): boolean {
  return schema === 'main' ? VIEWS.includes(name) : MODELS.includes(`${schema}/${name}`);
}

function columnComment(schema: string, table: string, name: string, words: string): string {
  return `comment on column ${schema}.${table}."${name}" is ${quote(words)}`;
}

type Relation = { schema: string; name: string; kind: 'table' | 'view'; comment: string | null };
type Column = { schema: string; table: string; name: string; type: string; comment: string | null };

/** Lists permanent tables and views by name. */
export function listRelations(db: Database): Promise<Relation[]> {
  return db.rows<Relation>(`
    select schema_name as schema, table_name as name, 'table' as kind, comment from duckdb_tables()
    where not internal and not temporary
    union all
    select schema_name as schema, view_name as name, 'view' as kind, comment from duckdb_views()
    where not internal and not temporary
    order by schema, name`);
}

/** Lists the columns of all tables and views, in order. */
export function listColumns(db: Database): Promise<Column[]> {
  return db.rows<Column>(`
    select schema_name as schema, table_name as "table", column_name as name, data_type as type, comment
    from duckdb_columns()
    where not internal and database_name = current_database()
    order by schema, "table", column_index`);
}

function toColumnTexts([names, text]: [string, string]): [string, string][] {
  return names.split(', ').map((name) => [name, text]);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
