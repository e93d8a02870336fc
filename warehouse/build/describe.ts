import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inTransaction, type Database } from '../connect.ts';
import { MODELS, VIEWS } from './models.ts';

const SQL_DIR = path.join(import.meta.dirname, '../sql');

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
  const text = readFileSync(path.join(SQL_DIR, 'columns.txt'), 'utf8').replaceAll(/\n +/g, ' ');
  return new Map(
    [...text.matchAll(/^(\w+): (.*)$/gm)].map(([, name, words]) => [
      name as string,
      words as string,
    ]),
  );
}

/**
 * Gives every table, view and column the comment it should have, where it has another or none: a table that is built anew has
 * lost them.
 */
export async function describeWarehouse(db: Database): Promise<void> {
  const usual = usualColumns();
  const statements: string[] = [];
  const relations = await relationsOf(db);
  if (relations.some(({ schema, comment }) => schema === 'raw' && comment === null)) {
    await inTransaction(db, () => db.runFile('tables'));
  }
  const described = new Map(
    [...MODELS, ...VIEWS.map((view) => `views/${view}`)].map((file) => [
      file.replace('/', '.').replace('views.', 'main.'),
      descriptionOf(readFileSync(path.join(SQL_DIR, `${file}.sql`), 'utf8')),
    ]),
  );
  for (const { schema, name, kind, comment } of relations) {
    const wanted = described.get(`${schema}.${name}`)?.comment;
    if (wanted !== undefined && wanted !== comment) {
      statements.push(`comment on ${kind} ${schema}.${name} is ${quoted(wanted)}`);
    }
  }
  for (const { schema, table, name, comment } of await columnsOf(db)) {
    const own = described.get(`${schema}.${table}`)?.columns.get(name);
    const wanted = own ?? (comment === null ? usual.get(name) : undefined);
    if (wanted !== undefined && wanted !== comment) {
      statements.push(`comment on column ${schema}.${table}."${name}" is ${quoted(wanted)}`);
    }
  }
  if (statements.length > 0) await inTransaction(db, () => db.run(statements.join(';\n')));
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
