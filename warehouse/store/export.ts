import type { Database } from '../connect.ts';
import type { Row } from './arrow.ts';
import { HOME_PROVIDER } from '../paths.ts';
import { INFERRED_DELAYS, type InferredDelay } from './late-shares.ts';
import { withModel, type ModelFile } from './model.ts';
import type { StoreFiles } from './store-manifest.ts';
import { packStore, type StoreContent } from './pack.ts';
import { STORE_TABLES, type StoreTableName } from './tables.ts';

/** Builds the files of a new store version from the marts, with the model if there is one. Writes nothing. */
export async function exportStore(
  db: Database,
  now: Date,
  model?: ModelFile,
  provider = HOME_PROVIDER,
): Promise<StoreFiles> {
  const rows = {} as StoreContent['rows'];
  for (const [name, { query }] of Object.entries(STORE_TABLES)) {
    rows[name as StoreTableName] = await db.rows<Row>(query);
  }
  const months = await db.rows<{ month: string }>(
    `select strftime(unnest(if(
        is_year(month), range(date_trunc('year', month), month + interval 1 month, interval 1 month), [month]
      )), '%Y-%m') as month
      from marts.months order by 1`,
  );
  const years = await db.rows<{ year: string }>(
    `select year(month)::varchar as year from marts.months where is_year(month) order by 1`,
  );
  const inferred = await readInferredDelays(db);
  const [last] = await db.rows<{ date: string | null }>(
    `select strftime(max(flight_date), '%Y-%m-%d') as date from raw.airport_days
      where flight_date >= (select max(month) from marts.months)`,
  );
  const [levels] = await db.rows<{ month: string | null }>(
    `select strftime(max(month), '%Y-%m') as month from raw.delay_cause_months`,
  );
  const store = packStore({
    rows,
    builtAt: now.toISOString(),
    provider,
    months: months.map(({ month }) => month),
    ...(years.length > 0 && { years: years.map(({ year }) => year) }),
    ...(inferred.length > 0 && { inferred }),
    lastFlightDate: last?.date ?? null,
    ...(levels?.month && { lastLevelMonth: levels.month }),
  });
  return model ? withModel(store, model) : store;
}

/** Returns the delays for which at least one loaded month does not count the flights. */
async function readInferredDelays(db: Database): Promise<InferredDelay[]> {
  const rows = await db.rows<{ minutes: number }>(
    'select distinct unnest(inferred_minutes) as minutes from raw.lake_months',
  );
  const missing = new Set(rows.map(({ minutes }) => minutes));
  return INFERRED_DELAYS.filter(({ minutes }) => missing.has(minutes));
}
