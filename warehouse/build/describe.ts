import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inTransaction, readSql, type Database } from '../connect.ts';
import { sha256 } from '../ground/sha256.ts';
import { MODELS, VIEWS } from './models.ts';

const SQL_DIR = path.join(import.meta.dirname, '../sql');
const USUAL_COLUMNS = path.join(SQL_DIR, 'columns.txt');

/** What a file of SQL says of the relation it makes: the header's prose, and its lines `--   column: text`. */
export type Description = { comment: string; columns: Map<string, string> };

/**
 * Reads the header of a file of SQL. A line of its comment that is indented by three blanks or more describes columns, one or
 * several before the colon; one indented further goes on with it.
 */
export function descriptionOf(sql: string): Description {
  const header = /^(?:--.*\n)*/.exec(sql)?.[0] ?? '';
  const prose: string[] = [];
  const columns: [string, string][] = [];
  for (const line of header.trimEnd().split('\n')) {
    const column = /^-- {3}(\w+(?:, \w+)*): (.*)$/.exec(line);
    const more = /^-- {4,}(.*)$/.exec(line);
    if (column) columns.push([column[1] as string, column[2] as string]);
    else if (more && columns.length > 0) (columns.at(-1) as string[])[1] += ` ${more[1]}`;
    else prose.push(line.replace(/^-- ?/, ''));
  }
  return { comment: prose.join(' '), columns: new Map(columns.flatMap(named)) };
}

/** What columns are that have their usual name. */
function usualColumns(): Map<string, string> {
  const text = readFileSync(USUAL_COLUMNS, 'utf8').replaceAll(/\n +/g, ' ');
  return new Map(
    [...text.matchAll(/^(\w+): (.*)$/gm)].map(([, name, words]) => [
      name as string,
      words as string,
    ]),
  );
}

/** The row of `ops.views_made` that tells whether the tables of the migrations have their comments. */
const TABLES = 'tables';

/**
 * Gives the tables of the migrations, and their columns, their comments. Not while the log is in use: DuckDB cannot replay the
 * comment of a column where another one has a default.
 */
export async function describeTables(db: Database): Promise<void> {
  const usual = usualColumns();
  await db.runFile('tables');
  const missing = (await columnsOf(db)).filter(({ comment, schema, table }) => {
    return comment === null && !isMade(schema, table);
  });
  const statements = missing.flatMap(({ schema, table, name }) => {
    const words = usual.get(name);
    return words === undefined ? [] : [columnComment(schema, table, name, words)];
  });
  if (statements.length > 0) await inTransaction(db, () => db.run(statements.join(';\n')));
  await db.run('insert or replace into ops.views_made values ($name, $hash)', {
    name: TABLES,
    hash: await tablesHash(),
  });
}

/** Whether the tables of the migrations have their comments. */
export async function areTablesDescribed(db: Database): Promise<boolean> {
  const made = await db.rows<{ sha256: string }>(
    'select sha256 from ops.views_made where view_name = $name',
    { name: TABLES },
  );
  return made[0]?.sha256 === (await tablesHash());
}

async function tablesHash(): Promise<string> {
  return sha256((await readSql('tables')) + readFileSync(USUAL_COLUMNS, 'utf8'));
}

/**
 * Gives every model, view and column of theirs the comment it should have, where it has another or none: a table that is built
 * anew has lost them.
 */
export async function describeModels(db: Database): Promise<void> {
  const usual = usualColumns();
  const described = new Map(
    [...MODELS, ...VIEWS.map((view) => `views/${view}`)].map((file) => [
      file.replace('/', '.').replace('views.', 'main.'),
      descriptionOf(readFileSync(path.join(SQL_DIR, `${file}.sql`), 'utf8')),
    ]),
  );
  const statements: string[] = [];
  for (const { schema, name, kind, comment } of await relationsOf(db)) {
    const wanted = described.get(`${schema}.${name}`)?.comment;
    if (wanted !== undefined && wanted !== comment) {
      statements.push(`comment on ${kind} ${schema}.${name} is ${quoted(wanted)}`);
    }
  }
  for (const { schema, table, name, comment } of await columnsOf(db)) {
    const own = described.get(`${schema}.${table}`);
    const wanted = own && (own.columns.get(name) ?? usual.get(name));
    if (wanted !== undefined && wanted !== comment) {
      statements.push(columnComment(schema, table, name, wanted));
    }
  }
  if (statements.length > 0) await inTransaction(db, () => db.run(statements.join(';\n')));
}

/** Whether it is one of the models or views, which files of SQL make. */
function isMade(schema: string, name: string): boolean {
  return schema === 'main' ? VIEWS.includes(name) : MODELS.includes(`${schema}/${name}`);
}

function columnComment(schema: string, table: string, name: string, words: string): string {
  return `comment on column ${schema}.${table}."${name}" is ${quoted(words)}`;
}

type Relation = { schema: string; name: string; kind: 'table' | 'view'; comment: string | null };
type Column = { schema: string; table: string; name: string; type: string; comment: string | null };

/** The tables and views that last, by name. */
export function relationsOf(db: Database): Promise<Relation[]> {
  return db.rows<Relation>(`
    select schema_name as schema, table_name as name, 'table' as kind, comment from duckdb_tables()
    where not internal and not temporary
    union all
    select schema_name as schema, view_name as name, 'view' as kind, comment from duckdb_views()
    where not internal and not temporary
    order by schema, name`);
}

/** Their columns, in order. */
export function columnsOf(db: Database): Promise<Column[]> {
  return db.rows<Column>(`
    select schema_name as schema, table_name as "table", column_name as name, data_type as type, comment
    from duckdb_columns()
    where not internal and database_name = current_database()
    order by schema, "table", column_index`);
}

function named([names, text]: [string, string]): [string, string][] {
  return names.split(', ').map((name) => [name, text]);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
