import { sha256 } from '../ground/sha256.ts';
import { encodeTable, type Row } from './arrow.ts';
import { sealManifest } from './manifest.ts';
import type { StoreFiles } from './open.ts';
import { STORE_SCHEMA_VERSION, STORE_TABLES, tableFile, type StoreTableName } from './tables.ts';
import type { StoreManifest } from './types.ts';

export type StoreContent = {
  /** The rows of each table, in the order they are stored. */
  rows: Record<StoreTableName, Row[]>;
} & Pick<StoreManifest, 'builtAt' | 'provider' | 'months' | 'lastFlightDate' | 'lastLevelMonth'>;

/** The store with what the effects of its airline-routes add up to, under the version it then has. */
export function withFlightOdds({ manifest, files }: StoreFiles, rows: Row[]): StoreFiles {
  const name: StoreTableName = 'flight_odds';
  const { version: _, tables, ...content } = manifest;
  const bytes = encodeTable(rows, STORE_TABLES[name].columns);
  const file = tableFile(name);
  const entry = { file, rows: rows.length, bytes: bytes.length, sha256: sha256(bytes) };
  return {
    manifest: sealManifest({ ...content, tables: { ...tables, [name]: entry } }),
    files: new Map(files).set(file, bytes),
  };
}

/** The files of a store version that holds those rows; the same content gives the same bytes. */
export function packStore({ rows, ...content }: StoreContent): StoreFiles {
  const files = new Map<string, Uint8Array>();
  const tables: StoreManifest['tables'] = {};
  for (const [name, { columns }] of Object.entries(STORE_TABLES)) {
    const held = rows[name as StoreTableName];
    const bytes = encodeTable(held, columns);
    const file = tableFile(name);
    files.set(file, bytes);
    tables[name] = { file, rows: held.length, bytes: bytes.length, sha256: sha256(bytes) };
  }
  const schemaVersion = STORE_SCHEMA_VERSION;
  return { manifest: sealManifest({ schemaVersion, ...content, tables }), files };
}
