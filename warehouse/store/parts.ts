import { sealManifest } from './manifest.ts';
import type { StoreFiles, StoreManifest, StorePart } from './store-manifest.ts';
import type { ScoreStore } from './types.ts';

/** The record of a provider, built as a separate store, with the source and terms that appear in answers. */
export type ProviderStore = { store: StoreFiles } & Pick<
  StorePart,
  'attribution' | 'terms' | 'title' | 'url' | 'countries' | 'accuracy'
>;

/** Tables that are the same for all providers. Only the store itself has them. */
const SHARED_TABLES: ReadonlySet<string> = new Set(['airports', 'climatology']);

/** Adds the records of other providers to a store. The result has a new version. */
export function withParts({ manifest, files }: StoreFiles, parts: ProviderStore[]): StoreFiles {
  if (parts.length === 0) return { manifest, files };
  const { version: _, ...content } = manifest;
  const allFiles = new Map(files);
  const entries = parts.map(({ store, ...facts }): StorePart => {
    const { provider, months, years, inferred, lastFlightDate } = store.manifest;
    const own = Object.entries(store.manifest.tables).filter(([name]) => !SHARED_TABLES.has(name));
    const tables: StorePart['tables'] = {};
    for (const [name, entry] of own) {
      const file = `${provider}.${entry.file}`;
      allFiles.set(file, store.files.get(entry.file) as Uint8Array);
      tables[name] = { ...entry, file };
    }
    return {
      ...{ provider, ...facts, months, lastFlightDate, tables },
      ...(years && { years }),
      ...(inferred && { inferred }),
    };
  });
  return { manifest: sealManifest({ ...content, parts: entries }), files: allFiles };
}

/** Returns the files of the tables of a store and its parts. */
export function tableFiles({ tables, parts = [] }: StoreManifest): string[] {
  return [tables, ...parts.map((part) => part.tables)].flatMap((one) =>
    Object.values(one).map(({ file }) => file),
  );
}

/** Returns the manifest of a provider's record in the form of a separate store without a model. */
export function manifestOfPart(
  {
    model: _model,
    fallback: _fallback,
    parts: _parts,
    lastLevelMonth: _level,
    ...shared
  }: StoreManifest,
  { tables, ...part }: StorePart,
): StoreManifest {
  const sharedTables = Object.entries(shared.tables).filter(([name]) => SHARED_TABLES.has(name));
  return { ...shared, ...part, tables: { ...Object.fromEntries(sharedTables), ...tables } };
}

/**
 * Combines a store with the stores of other providers. Each of these stores can find the store to use for a route
 * (`forRoute`).
 */
export function combineStores(
  store: Omit<ScoreStore, 'forRoute' | 'parts'>,
  parts: readonly Omit<ScoreStore, 'forRoute' | 'parts'>[],
): ScoreStore {
  const all = [store, ...parts];
  const airlineOf = (iata: string) => {
    for (const one of all) {
      const airline = one.airline(iata);
      if (airline) return airline;
    }
    return undefined;
  };
  const others: ScoreStore[] = parts.map((part) => ({
    ...part,
    forRoute,
    parts: [],
    airline: airlineOf,
  }));
  const combined: ScoreStore = { ...store, forRoute, parts: others, airline: airlineOf };
  function forRoute(origin: string, dest: string): ScoreStore {
    if (combined.route(origin, dest)) return combined;
    const candidates = others.filter((one) => one.route(origin, dest) !== undefined);
    const [first = combined] = candidates.toSorted(
      (a, b) => rankOf(b, origin, dest) - rankOf(a, origin, dest),
    );
    return first;
  }
  return combined;
}

/**
 * Returns the rank of a store for a route. A record with departure hours comes before a record with sums only. Then the
 * record with more flights comes first. Only one record is used, because two records may have the same flights.
 */
function rankOf(store: ScoreStore, origin: string, dest: string): number {
  const hasHours = store.departureHours(origin, dest) !== undefined;
  const flights = store.route(origin, dest)?.flightCount ?? 0;
  return (hasHours ? 1 : 0) + flights / 1e9;
}
