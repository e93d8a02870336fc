import type { Progress } from '../../warehouse/progress.ts';
import type { PageReader } from './releases.ts';

/** Files that a collector keeps between its runs. */
export type CollectorFolder = {
  /** Names of the files, with the time when each was written. */
  list: () => Promise<Map<string, Date>>;
  read: (name: string) => Promise<string>;
  write: (name: string, text: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  /** Writes a file for `make ingest` and returns its path and hash. */
  publish: (name: string, lines: readonly string[]) => Promise<{ path: string; sha256: string }>;
};

export type CollectDeps = {
  address: string;
  readPage: PageReader;
  folder: CollectorFolder;
  now: () => Date;
};

/** Collects the figures of a provider that publishes single days and later removes these days again. */
export type Collector = {
  /** Address of the provider's answers. A mirror may have another address. */
  address: string;
  /** Number of past days that the provider has. */
  days: number;
  /** Fetches all new days, and returns a file for each collected month. */
  collect: (deps: CollectDeps, progress: Progress) => Promise<Collected>;
};

/** The result of a collection: a file for each month, and a text for the page of schedules. */
export type Collected = {
  summary: string;
  files: { period: string; path: string; sha256: string }[];
};
