import { sum } from '../../warehouse/ground/numbers.ts';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { ExtractedMonth, StagedMonth } from '../../warehouse/extract/staged-month.ts';
import type { ExtractReport, MonthReport } from './types.ts';
import { sumCounts } from './refusal.ts';

/** Builds the report of a month with this outcome. */
export function buildMonthReport(
  { month, rowsRead, rowsEmpty = 0, rejects, ...facts }: Omit<StagedMonth, 'flights'>,
  outcome: MonthReport['outcome'],
): MonthReport {
  const { periodMonths, completeness, conflict } = facts;
  const rowsRejected = sumCounts(rejects);
  return {
    month,
    ...(periodMonths && { periodMonths }),
    rowsRead,
    rowsLoaded: rowsRead - rowsEmpty - rowsRejected,
    ...(rowsEmpty > 0 && { rowsEmpty }),
    rowsRejected,
    rejects,
    outcome,
    ...(completeness && { completeness }),
    ...(conflict && { conflict }),
  };
}

/** Builds the report of a month that the lake already has. */
export function buildUnchangedReport({ rows, ...manifest }: ExtractedMonth): MonthReport {
  const { read: rowsRead, empty: rowsEmpty = 0 } = rows;
  return buildMonthReport({ ...manifest, rowsRead, rowsEmpty }, 'unchanged');
}

/**
 * Builds the report of a source. The counts are the sums over the months of the source, plus the rows without a month.
 */
export function buildSourceReport(
  source: SourceRef,
  months: MonthReport[],
  undatedRejects: Record<string, number>,
  notes: string[],
): ExtractReport {
  const undated = sumCounts(undatedRejects);
  return {
    source,
    rowsRead: sum(months.map(({ rowsRead }) => rowsRead)) + undated,
    rowsLoaded: sum(months.map(({ rowsLoaded }) => rowsLoaded)),
    rowsRejected: sum(months.map(({ rowsRejected }) => rowsRejected)) + undated,
    undatedRejects,
    months,
    notes,
  };
}
