import type { Database } from '../connect.ts';
import { MODELS } from './models.ts';
import type { CheckResult } from './reports.ts';
import { queryOf, withoutEnd, type UserFile, type UserProblem, type UserSql } from './user-sql.ts';

/** Result of building a user's models: rows by mart, and the models that were not built. */
export type UserBuild = { rows: Record<string, number>; problems: UserProblem[] };

/** Maximum time for one SQL file of a user. A longer query would delay the nightly run. */
const MAX_MS = 10 * 60_000;

/**
 * Builds a user's models after the models of the service, and removes the tables of models that no longer exist. If a
 * model fails, its table is missing, and the models that read this table fail too.
 */
export async function buildUserModels(
  db: Database,
  { models, problems }: UserSql,
): Promise<UserBuild> {
  await dropFormerModels(db, models);
  const build: UserBuild = { rows: {}, problems: [...problems] };
  for (const model of models) {
    const why = brokenInput(model, build.problems) ?? (await buildModel(db, model));
    if (why !== undefined) {
      await db.run(`drop table if exists ${relationOf(model)}`);
      build.problems.push({ name: model.name, file: model.file, why });
    } else if (model.name.startsWith('marts/')) {
      const [row] = await db.rows<{ count: number }>(
        `select count(*) as count from ${relationOf(model)}`,
      );
      build.rows[model.name.replace('marts/', '')] = row?.count ?? 0;
    }
  }
  return build;
}

/** Converts problems with a user's models to check results of severity `warn`. */
export function modelProblems(problems: readonly UserProblem[]): CheckResult[] {
  return problems.map(({ name, file, why }) => ({
    check: name,
    severity: 'warn',
    failures: 1,
    problem: `${file}: ${why}`,
  }));
}

/** Returns the SQL of a check as a single query, so that a check cannot change any data. */
export async function checkQuery(db: Pick<Database, 'rows'>, sql: string): Promise<string> {
  await requireOneQuery(db, sql);
  return `select * from (\n${withoutEnd(sql)}\n)`;
}

/** Runs `work`, and ends its query after ten minutes. */
export async function withTimeLimit<T>(
  db: Database,
  work: () => Promise<T>,
  maxMs = MAX_MS,
): Promise<T> {
  let isLate = false;
  // Interrupts repeatedly, because an interruption between two queries has no effect.
  const timer = setInterval(() => {
    isLate = true;
    db.interrupt();
  }, maxMs);
  try {
    return await work();
  } catch (error) {
    throw isLate
      ? new Error(`the query took more than ${maxMs / 60_000} minutes`, { cause: error })
      : error;
  } finally {
    clearInterval(timer);
  }
}

/** Returns the first line of a DuckDB error, which names the mistake. The other lines repeat the SQL. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

/** Builds a model and returns why it failed; undefined if it was built. */
async function buildModel(db: Database, model: UserFile): Promise<string | undefined> {
  const query = queryOf(model);
  try {
    await withTimeLimit(db, async () => {
      await requireOneQuery(db, query);
      await db.run(`create or replace table ${relationOf(model)} as select * from (\n${query}\n)`);
    });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Throws unless the SQL is exactly one query. Any other statement could change the tables of the service. */
async function requireOneQuery(db: Pick<Database, 'rows'>, sql: string): Promise<void> {
  const [row] = await db.rows<{ parsed: string }>(
    'select json_serialize_sql($sql::varchar)::varchar as parsed',
    { sql },
  );
  const parsed = JSON.parse(row?.parsed ?? '{}') as Parsed;
  // DuckDB cannot serialise a statement that is not a query, and reports "not implemented".
  if (parsed.error && parsed.error_type !== 'not implemented') {
    throw new Error(parsed.error_message ?? 'the SQL cannot be parsed');
  }
  if (parsed.statements?.length !== 1) throw new Error('the file must contain exactly one query');
}

/** The result of DuckDB's function `json_serialize_sql`. */
type Parsed = {
  error?: boolean;
  error_type?: string;
  error_message?: string;
  statements?: unknown[];
};

function brokenInput({ reads }: UserFile, problems: readonly UserProblem[]): string | undefined {
  // If a user's file has the name of a model of the service, the service's table stays unchanged and can be read.
  const broken = problems.find(({ name }) => reads.includes(name) && !MODELS.includes(name));
  return broken && `it reads ${broken.name}, which was not built`;
}

async function dropFormerModels(db: Database, models: readonly UserFile[]): Promise<void> {
  const current = new Set([...MODELS, ...models.map(({ name }) => name)]);
  const tables = await db.rows<{ schema: string; name: string }>(
    `select schema_name as schema, table_name as name from duckdb_tables()
     where schema_name in ('marts', 'intermediate') and not temporary`,
  );
  for (const { schema, name } of tables) {
    if (!current.has(`${schema}/${name}`)) await db.run(`drop table ${schema}."${name}"`);
  }
}

function relationOf({ name }: Pick<UserFile, 'name'>): string {
  return name.replace('/', '.');
}
