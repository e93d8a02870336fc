import type { LakeTree } from '../../warehouse/lake/lake.ts';
import type { FlightForm } from './form.ts';
import type { StagedSource } from './staged-source.ts';
import type { HeldMonth } from './types.ts';

/** What a file is, found by reading it through once. */
export type SourceFile = {
  /** Where its rows are: the file itself, or what a zip was unpacked to. */
  path: string;
  name: string;
  bytes: number;
  sha256: string;
  /** By its first bytes, whatever the name says. */
  container: 'csv' | 'csv.gz' | 'zip' | 'parquet';
  /** Column names as written. */
  header: string[];
  /** Rows after the header, counted apart from the reader that loads them. */
  rowCount: number;
  /** Line numbers of blank lines; they are no rows. */
  blankLines: number[];
  /** Removes what a zip was unpacked to. */
  close: () => Promise<void>;
};

export type ExtractDeps = {
  /** Throws SourceFormatError for what is no flight file, whatever its columns. */
  inspect: (path: string) => Promise<SourceFile>;
  /** The SHA-256 that stands in a file beside it; undefined where there is none. */
  checksumBeside: (path: string) => Promise<string | undefined>;
  /**
   * Months of the lake that this very source gave under this code version, their files all in place; of flights, where
   * nothing else is asked for.
   */
  extracted: (sha256: string, tree?: LakeTree) => Promise<HeldMonth[]>;
  /** Reads and checks every row; `year` is for forms that do not tell it. */
  stage: (file: SourceFile, form: FlightForm, year: number | undefined) => Promise<StagedSource>;
  /** The same of several files at once; a flight in two of them counts where it comes first. */
  stageParts: (parts: Part[]) => Promise<StagedParts>;
};

/** One of several files given together. */
export type Part = { file: SourceFile; form: FlightForm };

/** Their rows together, without the good ones that an earlier part has. */
export type StagedParts = StagedSource & {
  /** Good rows of each part that an earlier one has, too. */
  repeated: number[];
};
