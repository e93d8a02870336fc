import type { Database } from '../connect.ts';
import type { Row } from './arrow.ts';
import { HOME_PROVIDER } from '../paths.ts';
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
    `select strftime(month, '%Y-%m') as month from marts.months order by 1`,
  );
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
    lastFlightDate: last?.date ?? null,
    ...(levels?.month && { lastLevelMonth: levels.month }),
  });
  return model ? withModel(store, model) : store;
}
