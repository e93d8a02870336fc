import type { InferredDelay } from './late-shares.ts';

export type StoreManifest = {
  /** Version of the layout. Code refuses a store with another layout. */
  schemaVersion: number;
  /** Name of the store version: the build time and a hash of the content. */
  version: string;
  builtAt: string;
  /** Provider of the flight history. Answers name it as `data_provider`. */
  provider: string;
  /** Months of history in the store, `YYYY-MM`, ascending. */
  months: string[];
  /**
   * Years (`2019`) for which only totals of the year are known. `months` includes the twelve months of each of these
   * years.
   */
  years?: string[];
  /**
   * Delays for which at least one month of the record does not count the flights, ascending. Absent if all months count
   * the flights of all delays.
   */
  inferred?: InferredDelay[];
  /**
   * Date of the newest flight, `YYYY-MM-DD`. Null if the source of the last month has sums without dates, such as the
   * seed.
   */
  lastFlightDate: string | null;
  /** Newest month of the delay-cause table, `YYYY-MM`; absent if the lake does not have the table. */
  lastLevelMonth?: string;
  tables: Record<string, { file: string; rows: number; bytes: number; sha256: string }>;
  /** Source and terms of the flights, as answers name them. Only records of other providers have them. */
  attribution?: string;
  terms?: string;
  /** Name, page and two-letter countries of the provider, for the records of other providers. */
  title?: string;
  url?: string;
  countries?: string[];
  /** How accurate forecasts from this record are, as JSON for `models/record-accuracy.ts`; absent if not measured. */
  accuracy?: unknown;
  /** The records of other providers. */
  parts?: StorePart[];
  /**
   * The model, and `fallback`, which answers if an imported model fails. Without a model, only the statistics are used.
   */
  model?: { file: string; version: string; bytes: number; sha256: string; contract: string };
  fallback?: StoreManifest['model'];
};

/** The record of one provider inside a store. Its tables are files of the store. */
export type StorePart = Pick<
  StoreManifest,
  | 'provider'
  | 'months'
  | 'years'
  | 'inferred'
  | 'lastFlightDate'
  | 'title'
  | 'url'
  | 'countries'
  | 'tables'
  | 'accuracy'
> & {
  /** Name of the source in answers. */
  attribution: string;
  terms: string;
};

/** The bytes of a store version: its manifest and its files by name. */
export type StoreFiles = { manifest: StoreManifest; files: Map<string, Uint8Array> };
