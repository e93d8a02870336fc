import type { InferredDelay } from './late-shares.ts';

export type StoreManifest = {
  /** Layout version; a reader refuses other layouts. */
  schemaVersion: number;
  /** Name of the store, which consists of the build time and a content hash. */
  version: string;
  builtAt: string;
  /** Provider of the flight history, served as `data_provider`. */
  provider: string;
  /** Months of history in the store, `YYYY-MM`, ascending. */
  months: string[];
  /** Years (`2019`) whose flights are known only as totals of the year. `months` has the twelve months of each. */
  years?: string[];
  /** Delays that a month of the record does not count, ascending; absent if all are counted. */
  inferred?: InferredDelay[];
  /**
   * Date of the newest flight, `YYYY-MM-DD`. If the source of the last month has only sums without dates, as the seed
   * has, the date is null.
   */
  lastFlightDate: string | null;
  /** Newest month of the delay-cause table, `YYYY-MM`; absent without the table. */
  lastLevelMonth?: string;
  tables: Record<string, { file: string; rows: number; bytes: number; sha256: string }>;
  /** Source and terms of the flights, for the records of other providers. */
  attribution?: string;
  terms?: string;
  /** The records of other providers. */
  parts?: StorePart[];
  /** The model, and for an imported model the model that answers if it fails. Without a model, statistics answer. */
  model?: { file: string; version: string; bytes: number; sha256: string; contract: string };
  fallback?: StoreManifest['model'];
};

/** The record of one provider inside a store. Its tables are files of the store. */
export type StorePart = Pick<
  StoreManifest,
  'provider' | 'months' | 'years' | 'inferred' | 'lastFlightDate' | 'tables'
> & {
  /** How answers name the source. */
  attribution: string;
  terms: string;
};

/** A store version as bytes, with a manifest and with files by name. */
export type StoreFiles = { manifest: StoreManifest; files: Map<string, Uint8Array> };
