import { sha256 } from '../ground/hashes.ts';
import { encodeTable, type Row } from './arrow.ts';
import { layOutEffects } from './effects.ts';
import { sealManifest } from './manifest.ts';
import type { StoreFiles, StoreManifest } from './store-manifest.ts';
import { STORE_SCHEMA_VERSION, STORE_TABLES, tableFile, type StoreTableName } from './tables.ts';

export type StoreContent = {
  /** The rows of each table, in stored order. */
  rows: Record<StoreTableName, Row[]>;
} & Pick<
  StoreManifest,
  'builtAt' | 'provider' | 'months' | 'years' | 'inferred' | 'lastFlightDate' | 'lastLevelMonth'
>;

/** Adds the summed effects of all airline-routes to the store. The result has a new version. */
export function withFlightOdds({ manifest, files }: StoreFiles, rows: Row[]): StoreFiles {
  const { version: _, tables, ...content } = manifest;
  const { entry, bytes } = packTable('flight_odds', rows);
  return {
    manifest: sealManifest({ ...content, tables: { ...tables, flight_odds: entry } }),
    files: new Map(files).set(entry.file, bytes),
  };
}

/** Builds the files of a store version from rows. Equal content gives equal bytes. */
export function packStore({ rows, ...content }: StoreContent): StoreFiles {
  const files = new Map<string, Uint8Array>();
  const tables: StoreManifest['tables'] = {};
  for (const name of Object.keys(STORE_TABLES) as StoreTableName[]) {
    const { entry, bytes } = packTable(name, rows[name]);
    files.set(entry.file, bytes);
    tables[name] = entry;
  }
  const schemaVersion = STORE_SCHEMA_VERSION;
  return { manifest: sealManifest({ schemaVersion, ...content, tables }), files };
}

/** Returns the file of a table and its entry in the manifest. */
function packTable(name: StoreTableName, rows: Row[]) {
  const stored = name === 'delay_effects' ? layOutEffects(rows) : rows;
  const bytes = encodeTable(stored, STORE_TABLES[name].columns);
  const entry = {
    file: tableFile(name),
    rows: stored.length,
    bytes: bytes.length,
    sha256: sha256(bytes),
  };
  return { entry, bytes };
}
