/** What ingesting a flight file reports; every count is of rows in the source. */

/** The file a month came from. */
export type SourceRef = {
  /** File name, without its folder. */
  name: string;
  sha256: string;
  bytes: number;
  /** Form found by the header, for example `nycflights`. */
  form: string;
};

export type MonthReport = {
  /** `YYYY-MM`. */
  month: string;
  rowsRead: number;
  rowsLoaded: number;
  rowsRejected: number;
  /** Rejected rows by reason. */
  rejects: Record<string, number>;
  /** `refused`: more than 1 % of its rows are bad, so what was there stays. */
  outcome: 'written' | 'unchanged' | 'refused';
};

export type ExtractReport = {
  source: SourceRef;
  /** rowsRead = rowsLoaded + rowsRejected. */
  rowsRead: number;
  rowsLoaded: number;
  rowsRejected: number;
  /** Rows no month could be read from, by reason; they are in `rowsRejected` and in no month. */
  undatedRejects: Record<string, number>;
  months: MonthReport[];
  /** What the user should know, for example where the year came from. */
  notes: string[];
};
