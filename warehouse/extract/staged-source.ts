import type { SourceRef } from '../lake/lake.ts';
import type { Comparison, StagedMonth } from './staged-month.ts';
import type { UnknownValues } from './unknown-values.ts';

/** The checked rows of a source, ready to be written by month. */
export type StagedSource = {
  /** Ascending by month. */
  months: StagedMonth[];
  /** Number of rejected rows whose month is unknown, by reason. */
  undatedRejects: Record<string, number>;
  /**
   * Unknown values in rejected rows, such as an airline code that is in no table. Absent if there are no such values.
   */
  unknownValues?: UnknownValues[];
  /** Compares the month in the lake with the staged month; undefined if the lake has no intact version. */
  compare: (month: StagedMonth, source: SourceRef) => Promise<Comparison | undefined>;
  /** Returns the SHA-256 of the source of a month in the lake; undefined if the lake lacks the month. */
  readCurrentSource: (month: string) => Promise<string | undefined>;
  /** Whether an operator dropped the month from the lake, and nothing has replaced the month since. */
  isDropped: (month: string) => Promise<boolean>;
  /** Replaces the month in the lake. The old version stays current until all new files are on disk. */
  writeMonth: (month: StagedMonth, source: SourceRef) => Promise<void>;
  /** Runs `work` while holding the lock of the month. */
  withMonthLock: <T>(month: string, work: () => Promise<T>) => Promise<T>;
  /**
   * Writes the rejected rows of a month and returns the path of the file. If `month` is undefined, writes the rejected
   * rows whose month is unknown.
   */
  quarantine: (month: string | undefined, source: SourceRef) => Promise<string>;
  close: () => Promise<void>;
};
