import type { LakeTree } from '../lake/lake.ts';
import type { FlightForm } from './form.ts';
import type { StagedSource } from './staged-source.ts';
import type { ExtractedMonth } from './staged-month.ts';

/** A source file that was read once from start to end. */
export type SourceFile = {
  /** File with the rows: the source itself, or the file unpacked from a zip. */
  path: string;
  name: string;
  bytes: number;
  sha256: string;
  /** Detected from the first bytes, not from the name. */
  container: 'csv' | 'csv.gz' | 'zip' | 'parquet';
  /** Whether this CSV was converted from a provider's JSON answers. The user does not see the CSV. */
  isJson?: true;
  /** Column names as written. */
  header: string[];
  /** Number of rows after the header. It is not counted by DuckDB, so DuckDB's own count can be checked against it. */
  rowCount: number;
  /** Separator of the columns of a CSV. */
  delimiter: ',' | ';';
  /** Lines of a CSV before the header. */
  prologueLines: number;
  /** Line numbers of blank lines, which are not rows. */
  blankLines: number[];
  /** Removes the file unpacked from a zip. */
  close: () => Promise<void>;
};

export type ExtractDeps = {
  /** Reads a file once; throws SourceFormatError if it is not a table. */
  inspect: (path: string) => Promise<SourceFile>;
  /** Returns the SHA-256 from the checksum file beside a source; undefined without such a file. */
  checksumBeside: (path: string) => Promise<string | undefined>;
  /**
   * Returns the months that this version of the code extracted from the source. Leaves out months with damaged files.
   * By default, returns months of flights of the American record; `tree` and `provider` select other months.
   */
  findExtracted: (sha256: string, tree?: LakeTree, provider?: string) => Promise<ExtractedMonth[]>;
  /** Reads and checks every row. `year` is for forms whose dates have no year. */
  stage: (file: SourceFile, form: FlightForm, year: number | undefined) => Promise<StagedSource>;
  /**
   * Reads and checks several files as one source. A flight that is in several files counts only in the first of these
   * files.
   */
  stageParts: (parts: Part[]) => Promise<StagedParts>;
};

/** One of several files that are loaded together. */
export type Part = { file: SourceFile; form: FlightForm };

/** The rows of all parts. A good row is left out if an earlier part has the same flight. */
export type StagedParts = StagedSource & {
  /** For each part, the number of good rows left out because an earlier part has the same flight. */
  repeated: number[];
};
