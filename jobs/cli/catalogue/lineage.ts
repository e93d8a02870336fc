import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MODELS, VIEWS } from '../../../warehouse/build/models.ts';
import { STORE_TABLES } from '../../../warehouse/store/tables.ts';

const SQL_DIR = path.join(import.meta.dirname, '../../../warehouse/sql');

/** Where the tables of `raw` come from: the file in the lake, and the files of `warehouse/sql` that make it of a source's rows. */
export const LOADED: Readonly<Record<string, { file: string; by: readonly string[] }>> = {
  'raw.lake_months': { file: 'flights/…/manifest.json', by: [] },
  'raw.route_hours': {
    file: 'flights/…/*.route_hours.parquet',
    by: [
      'lake/checked_flights',
      'lake/flight_outcomes',
      'lake/month_route_hours',
      'lake/checked_route_hours',
      'lake/month_route_hours_as_given',
    ],
  },
  'raw.airport_days': {
    file: 'flights/…/*.airport_days.parquet',
    by: ['lake/checked_flights', 'lake/flight_outcomes', 'lake/month_airport_days'],
  },
  'raw.airport_hours': {
    file: 'flights/…/*.airport_hours.parquet',
    by: ['lake/checked_flights', 'lake/flight_outcomes', 'lake/month_airport_hours'],
  },
  'raw.delay_cause_months': { file: 'levels/…/manifest.json', by: [] },
  'raw.delay_causes': {
    file: 'levels/…/*.delay_causes.parquet',
    by: ['lake/checked_delay_causes', 'lake/month_delay_causes'],
  },
  'raw.weather_months': { file: 'weather/…/manifest.json', by: [] },
  'raw.airport_weather_days': { file: 'weather/…/*.parquet', by: [] },
};

/** What the SQL of a relation reads: other relations that last. */
export type Reads = ReadonlyMap<string, readonly string[]>;

/** What models and views read directly, by the names of their relations. */
export function readsOf(): Reads {
  const files = [...MODELS, ...VIEWS.map((view) => `views/${view}`)];
  return new Map(
    files.map((file) => {
      const own = file.replace('/', '.').replace('views.', 'main.');
      // The effects are worked out by a folder of SQL of their own.
      const texts = own === 'marts.delay_effects' ? [file, ...EFFECTS] : [file];
      const read = texts.flatMap((text) => relationsIn(sqlOf(text)));
      return [own, [...new Set(read)].filter((one) => one !== own)];
    }),
  );
}

const EFFECTS = readdirSync(path.join(SQL_DIR, 'effects')).map(
  (file) => `effects/${path.parse(file).name}`,
);

/** The relations that a table of the store is filled from; none where it is worked out when it is published. */
export function readByStore(name: keyof typeof STORE_TABLES): string[] {
  return relationsIn(STORE_TABLES[name].query);
}

/** Of a relation, itself included, all that it rests on. */
export function restsOn(name: string, reads: Reads): string[] {
  const found = new Set([name]);
  // A set is walked to its end, what is added on the way included.
  for (const one of found) for (const read of reads.get(one) ?? []) found.add(read);
  return [...found];
}

function relationsIn(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '');
  const named = code.matchAll(/\b(raw|reference|intermediate|marts|ops)\.(\w+)/g);
  const lake = /\$(?:flights|rejects|manifests)\b/.test(code) ? ['the lake'] : [];
  return [...new Set([...named].map(([text]) => text)), ...lake];
}

function sqlOf(file: string): string {
  return readFileSync(path.join(SQL_DIR, `${file}.sql`), 'utf8');
}
