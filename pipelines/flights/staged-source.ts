import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Comparison, StagedMonth } from './types.ts';

/** The rows of a file, checked, and ready to be written by month. */
export type StagedSource = {
  /** Ascending by month. */
  months: StagedMonth[];
  /** Rejected rows no month could be read from, by reason. */
  undatedRejects: Record<string, number>;
  /** What the lake holds of a month beside what is staged; undefined when it holds none it can vouch for. */
  compare: (month: StagedMonth, source: SourceRef) => Promise<Comparison | undefined>;
  /** SHA-256 of the source the lake holds a month of; undefined when it holds none it can vouch for. */
  sourceHeld: (month: string) => Promise<string | undefined>;
  /** Replaces the month in the lake; what was there counts until everything new is on disk. */
  writeMonth: (month: StagedMonth, source: SourceRef) => Promise<void>;
  /** Does the work while nobody else replaces the month. */
  alone: <T>(month: string, work: () => Promise<T>) => Promise<T>;
  /** Writes only the rejected rows of a month (undefined: of none) and returns the file. */
  quarantine: (month: string | undefined, source: SourceRef) => Promise<string>;
  close: () => Promise<void>;
};
