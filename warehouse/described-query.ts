import type { DuckDBConnection } from '@duckdb/node-api';
import { QueryRefusedError } from './errors.ts';

/** A question for what something is: the query that answers it with comments, and what to say before it. */
export type Explained = { sql: string; about: string };

/** Where a name without a schema is looked for, in this order. */
const SCHEMAS = ['main', 'marts', 'raw', 'reference', 'ops', 'intermediate'];

const RELATIONS = `
  select schema_name as schema, table_name as name, comment from duckdb_tables()
  where not internal and not temporary
  union all
  select schema_name as schema, view_name as name, comment from duckdb_views()
  where not internal and not temporary`;

/** What a description asks for; undefined for every other statement. */
export async function explainedBy(
  connection: DuckDBConnection,
  sql: string,
): Promise<Explained | undefined> {
  const text = sql.trim().replace(/\s*;$/, '');
  if (/^show(?: all)? tables$/i.test(text)) {
    return {
      sql: TABLES,
      about: 'What there is; make sql Q="describe flights" tells its columns.',
    };
  }
  const named = /^(?:describe|desc|show)\s+(?:(?:table|view)\s+)?(?:(\w+)\.)?(\w+)$/i.exec(text);
  if (!named) return undefined;
  const [, schema, name = ''] = named.map((part) => part?.toLowerCase());
  const reader = await connection.runAndReadAll(RELATIONS);
  const found = (reader.getRowObjectsJson() as Relation[])
    .filter((one) => one.name === name && (schema === undefined || one.schema === schema))
    .toSorted((a, b) => rank(a.schema) - rank(b.schema))[0];
  if (!found) {
    throw new QueryRefusedError(
      `there is no ${name}: make sql Q="show tables" lists what there is`,
    );
  }
  return {
    sql: `select column_name as "column", lower(data_type) as type, comment as "what it is" from duckdb_columns()
      where schema_name = '${found.schema}' and table_name = '${name}' order by column_index`,
    about: `${found.schema}.${name}: ${found.comment ?? 'nobody described it'}`,
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
