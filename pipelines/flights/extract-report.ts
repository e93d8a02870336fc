import { sum } from '../../warehouse/ground/sum.ts';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { HeldMonth, StagedMonth, ExtractReport, MonthReport } from './types.ts';
import { total } from './refusal.ts';

/** What is reported of a month that came out so. */
export function monthReport(
  {
    month,
    rowsRead,
    rowsEmpty = 0,
    rejects,
  }: Pick<StagedMonth, 'month' | 'rowsRead' | 'rowsEmpty' | 'rejects'>,
  outcome: MonthReport['outcome'],
): MonthReport {
  const rowsRejected = total(rejects);
  return {
    month,
    rowsRead,
    rowsLoaded: rowsRead - rowsEmpty - rowsRejected,
    ...(rowsEmpty > 0 && { rowsEmpty }),
    rowsRejected,
    rejects,
    outcome,
  };
}

/** What is reported of a month the lake holds already. */
export function unchangedMonth({ month, rows, rejects }: HeldMonth): MonthReport {
  const { read: rowsRead, empty: rowsEmpty = 0 } = rows;
  return monthReport({ month, rowsRead, rowsEmpty, rejects }, 'unchanged');
}

/** The report of a whole source; its counts are those of its months and of the rows that tell none. */
export function sourceReport(
  source: SourceRef,
  months: MonthReport[],
  undatedRejects: Record<string, number>,
  notes: string[],
): ExtractReport {
  const undated = total(undatedRejects);
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
