import type { Database } from '../connect.ts';
import { sha256 } from '../sha256.ts';
import { encodeTable, type Row } from './arrow.ts';
import { sealManifest } from './manifest.ts';
import { STORE_SCHEMA_VERSION, STORE_TABLES, tableFile } from './tables.ts';
import type { StoreFiles } from './open.ts';

/** Where the flight history comes from: U.S. Bureau of Transportation Statistics. */
const PROVIDER = 'bts';

/** Reads the marts into the files of a new store version; nothing is written anywhere. */
export async function exportStore(db: Database, now: Date): Promise<StoreFiles> {
  const files = new Map<string, Uint8Array>();
  const tables: StoreFiles['manifest']['tables'] = {};
  for (const [name, { query, columns }] of Object.entries(STORE_TABLES)) {
    const rows = await db.rows<Row>(query);
    const bytes = encodeTable(rows, columns);
    const file = tableFile(name);
    files.set(file, bytes);
    tables[name] = { file, rows: rows.length, bytes: bytes.length, sha256: sha256(bytes) };
  }
  const months = await db.rows<{ month: string }>(
    `select strftime(month, '%Y-%m') as month from marts.months order by 1`,
  );
  const [last] = await db.rows<{ date: string | null }>(
    `select strftime(max(flight_date), '%Y-%m-%d') as date from raw.airport_days
      where flight_date >= (select max(month) from marts.months)`,
  );
  const manifest = sealManifest({
    schemaVersion: STORE_SCHEMA_VERSION,
    builtAt: now.toISOString(),
    provider: PROVIDER,
    months: months.map(({ month }) => month),
    lastFlightDate: last?.date ?? null,
    tables,
  });
  return { manifest, files };
}
