import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MODELS, VIEWS } from '../../../warehouse/build/models.ts';
import { STORE_TABLES } from '../../../warehouse/store/tables.ts';

const SQL_DIR = path.join(import.meta.dirname, '../../../warehouse/sql');

/**
 * Maps each table of `raw` to its file in the lake and to its queries. The queries are the files of `warehouse/sql`
 * that write this lake file from a source. A table without a lake file is computed from the other tables.
 */
export const RAW_TABLES: Readonly<Record<string, { file?: string; queries: readonly string[] }>> = {
  'raw.month_completeness': {
    queries: ['compare/staged_loaded', 'compare/completeness'],
  },
  'raw.lake_months': { file: 'flights/…/manifest.json', queries: [] },
  'raw.route_hours': {
    file: 'flights/…/*.route_hours.parquet',
    queries: [
      'lake/checked_flights',
      'lake/flight_outcomes',
      'lake/month_route_hours',
      'lake/month_staged_route_hours',
      'lake/checked_route_hours',
      'lake/month_route_hours_as_given',
    ],
  },
  'raw.flight_numbers': {
    file: 'flights/…/*.flights.parquet',
    queries: ['lake/month_flight_numbers'],
  },
  'raw.airport_days': {
    file: 'flights/…/*.airport_days.parquet',
    queries: ['lake/checked_flights', 'lake/flight_outcomes', 'lake/month_airport_days'],
  },
  'raw.airport_hours': {
    file: 'flights/…/*.airport_hours.parquet',
    queries: ['lake/checked_flights', 'lake/flight_outcomes', 'lake/month_airport_hours'],
  },
  'raw.delay_cause_months': { file: 'levels/…/manifest.json', queries: [] },
  'raw.delay_causes': {
    file: 'levels/…/*.delay_causes.parquet',
    queries: ['lake/checked_delay_causes', 'lake/month_delay_causes'],
  },
  'raw.weather_months': { file: 'weather/…/manifest.json', queries: [] },
  'raw.airport_weather_days': { file: 'weather/…/*.parquet', queries: [] },
};

/** Returns a sentence about the origin of a table of `raw`; undefined for other relations. */
export function originOf(name: string): string | undefined {
  const table = RAW_TABLES[name];
  if (table === undefined) return undefined;
  return table.file === undefined
    ? 'Computed from other loaded tables.'
    : `Loaded from \`${table.file}\` in the lake.`;
}

/** Maps each table or view to the tables and views that its SQL reads. Temporary tables and views are left out. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

/** Returns the relations that each model and view reads directly. */
export function findDependencies(): Dependencies {
  const files = [...MODELS, ...VIEWS.map((view) => `views/${view}`)];
  return new Map(
    files.map((file) => {
      const relation = file.replace('/', '.').replace('views.', 'main.');
      const texts = [file, ...(FITTED_FROM[relation] ?? [])];
      const inputs = texts.flatMap((text) => relationsIn(readSql(text)));
      return [relation, [...new Set(inputs)].filter((input) => input !== relation)];
    }),
  );
}

/** Marts whose rows come from a fit, with the SQL files of the fit. The fit runs just before the mart is built. */
const FITTED_FROM: Readonly<Record<string, readonly string[]>> = {
  'marts.delay_effects': listSqlFiles('effects'),
  'marts.outcome_effects': listSqlFiles('outcomes'),
};

function listSqlFiles(folder: string): string[] {
  const names = readdirSync(path.join(SQL_DIR, folder));
  return names.map((file) => `${folder}/${path.parse(file).name}`);
}

/** Returns the relations that fill a store table; empty for a table that the publish computes. */
export function storeInputs(name: keyof typeof STORE_TABLES): string[] {
  return relationsIn(STORE_TABLES[name].query);
}

/** Returns a relation and all relations that this relation reads, directly or through other relations. */
export function listAncestors(name: string, dependencies: Dependencies): string[] {
  const relations = new Set([name]);
  // Iteration over a Set also visits the elements added during the loop.
  for (const relation of relations) {
    for (const input of dependencies.get(relation) ?? []) relations.add(input);
  }
  return [...relations];
}

/** Lists the relations that a SQL text reads, ignoring comments. */
export function relationsIn(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '');
  const names = code.matchAll(/\b(raw|reference|intermediate|marts|ops)\.(\w+)/g);
  const lake = /\$(?:flights|rejects|manifests)\b/.test(code) ? ['the lake'] : [];
  return [...new Set([...names].map(([text]) => text)), ...lake];
}

function readSql(file: string): string {
  return readFileSync(path.join(SQL_DIR, `${file}.sql`), 'utf8');
}
