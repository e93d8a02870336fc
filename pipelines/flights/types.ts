/** What ingesting a flight file reports; every count is of rows in the source. */
import type { MonthManifest, SourceRef } from '../../warehouse/lake/lake.ts';
import type { MonthSource } from './month-source.ts';
import type { Month } from './months.ts';

/** Which file to extract, and what is expected of it. */
export type ExtractRequest = {
  path: string;
  /** Other files that make the same months with it: a flight that several have counts once. */
  parts?: string[];
  /** For forms that do not tell it. */
  year?: number;
  /** `YYYY-MM`: the only month the file may hold. */
  month?: string;
  /** Extract again what the lake holds of this very source, and replace a month by one with far fewer flights. */
  force?: boolean;
  /** SHA-256 of sources whose months alone may be replaced, by whatever comes; absent: all may. */
  replaces?: readonly string[];
  /** Say what would become of each month, and write nothing. */
  dryRun?: boolean;
};

/** How much there is of a month. */
export type MonthExtent = {
  /** Name of the file, and its form. */
  source: string;
  form: string;
  rows: number;
  /** Scheduled flights. */
  flights: number;
  /** Days with flights; 0 where the rows tell no day. */
  days: number;
  /** Airports of departure; of the delay-cause table, of arrival. */
  airports: number;
  airlines: number;
};

/** What the lake holds of a month, beside what is about to take its place. */
export type Comparison = {
  held: MonthExtent & {
    sha256: string;
    /** Single flights, not sums of them. */
    isSingle: boolean;
  };
  staged: MonthExtent & { isSingle: boolean };
  /** Flights held on days, at airports and of airlines that what comes has none of; of days where both tell them. */
  uncovered: { days: number; airports: number; airlines: number };
  /** Airlines held of which what comes has no flight, and the flights held of each; the largest first. */
  gone: { airline: string; flights: number }[];
  /** Share of the flights whose hour of departure is known. */
  timed: { held: number; staged: number };
  /** Share of the flights whose delay at arrival is known. */
  arrivals: { held: number; staged: number };
};

/** A month of a file as it was read, before it is decided what becomes of it. */
export type StagedMonth = {
  month: string;
  rowsRead: number;
  /** Good rows that say there were no flights; absent where there are none. */
  rowsEmpty?: number;
  /** Scheduled flights its good rows stand for: one each, or what a row of aggregates counts. */
  flights: number;
  rejects: Record<string, number>;
};

/** A month as its manifest has it. */
export type HeldMonth = Pick<MonthManifest, 'month' | 'rejects'> & {
  rows: MonthManifest['rows'] & { empty?: number };
};

/** What a month was, and what it is. */
export type Replaced = { before: MonthExtent; after: MonthExtent };

export type MonthReport = {
  /** `YYYY-MM`. */
  month: string;
  rowsRead: number;
  rowsLoaded: number;
  /** Rows without figures, of the delay-cause table: they say there were no flights. Absent where there are none. */
  rowsEmpty?: number;
  rowsRejected: number;
  /** Rejected rows by reason. */
  rejects: Record<string, number>;
  /** `refused`: too many bad rows, or less than it would replace; what was there stays. Of a dry run, what it would be. */
  outcome: 'written' | 'unchanged' | 'refused';
  /** What it took the place of, or would have, and what there is of it; absent where the lake held nothing. */
  replaced?: Replaced;
  /** Why it was refused. */
  why?: string;
};

export type ExtractReport = {
  source: SourceRef;
  /** rowsRead = rowsLoaded + rowsRejected, and the rows of months that are empty. */
  rowsRead: number;
  rowsLoaded: number;
  rowsRejected: number;
  /** Rows no month could be read from, by reason; they are in `rowsRejected` and in no month. */
  undatedRejects: Record<string, number>;
  months: MonthReport[];
  /** What the user should know, for example where the year came from. */
  notes: string[];
};

export type MonthRequest = {
  month: Month;
  source: MonthSource;
  /** Fetch and extract it again even when the lake holds this very file, or far more flights. */
  force: boolean;
};

/** How a month of a back-fill went; a month that failed throws instead. */
export type MonthResult = {
  month: Month;
  /** `absent`: the source has no file of it, or not yet. */
  outcome: 'done' | 'unchanged' | 'absent';
  /** Why it was skipped. */
  why?: string;
  rowsLoaded: number;
  rowsRejected: number;
  /** What it took the place of; absent where the lake held nothing. */
  replaced?: Replaced;
};
