import type { DuckDBConnection } from '@duckdb/node-api';
import { QueryRefusedError } from './errors.ts';

/** A query that lists columns or relations with their comments, and a heading for its result. */
export type Description = { sql: string; about: string };

/** Schemas in which a name without a schema is looked up, in this order. */
const SCHEMAS = ['main', 'marts', 'raw', 'reference', 'ops', 'intermediate'];

const RELATIONS = `
  select schema_name as schema, table_name as name, comment from duckdb_tables()
  where not internal and not temporary
  union all
  select schema_name as schema, view_name as name, comment from duckdb_views()
  where not internal and not temporary`;

/** Translates DESCRIBE and SHOW TABLES into a query that includes comments; undefined for any other statement. */
export async function describeQuery(
  connection: DuckDBConnection,
  sql: string,
): Promise<Description | undefined> {
  const text = sql.trim().replace(/\s*;$/, '');
  if (/^show(?: all)? tables$/i.test(text)) {
    return {
      sql: TABLES,
      about: 'Tables and views; make sql Q="describe flights" lists the columns of one.',
    };
  }
  const match = /^(?:describe|desc|show)\s+(?:(?:table|view)\s+)?(?:(\w+)\.)?(\w+)$/i.exec(text);
  if (!match) return undefined;
  const [, schema, name = ''] = match.map((part) => part?.toLowerCase());
  const reader = await connection.runAndReadAll(RELATIONS);
  const relation = (reader.getRowObjectsJson() as Relation[])
    .filter((one) => one.name === name && (schema === undefined || one.schema === schema))
    .toSorted((a, b) => rank(a.schema) - rank(b.schema))[0];
  if (!relation) {
    throw new QueryRefusedError(
      `there is no table ${name}. To list all tables: make sql Q="show tables"`,
    );
  }
  return {
    sql: `select column_name as "column", lower(data_type) as type, comment as "what it is" from duckdb_columns()
      where schema_name = '${relation.schema}' and table_name = '${name}' order by column_index`,
    about: `${relation.schema}.${name}: ${relation.comment ?? 'no description'}`,
  };
}

type Relation = { schema: string; name: string; comment: string | null };

function rank(schema: string): number {
  const at = SCHEMAS.indexOf(schema);
  return at === -1 ? SCHEMAS.length : at;
}

const TABLES = `
  with relations as (
    ${RELATIONS}
  )
  select
    case schema when 'main' then name else schema || '.' || name end as name,
    split_part(comment, '. ', 1) as "what it is"
  from relations
  where name <> 'migrations'
  order by list_position([${SCHEMAS.map((schema) => `'${schema}'`).join(', ')}], schema), name`;
