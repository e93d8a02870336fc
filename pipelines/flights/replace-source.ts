import { sum } from '../../warehouse/ground/numbers.ts';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { SourceFormatError } from '../../warehouse/errors.ts';
import type { SourceFile } from '../../warehouse/extract/extract-deps.ts';
import { buildMonthReport, buildSourceReport } from './extract-report.ts';
import { hasTooManyRejects, formatRejects, sumCounts } from './refusal.ts';
import { replaceMonth, type ReplaceOptions } from './replace-month.ts';
import type { StagedSource } from '../../warehouse/extract/staged-source.ts';
import type { ExtractReport, ExtractRequest, MonthReport } from './types.ts';
import type { ExtractedMonth, StagedMonth } from '../../warehouse/extract/staged-month.ts';

/** A source whose rows are staged, and the months of this source that the lake has already. */
export type ReadSource = {
  /** The file. `rowCount` is not counted by DuckDB, so DuckDB's own count can be checked against it. */
  file: Pick<SourceFile, 'name' | 'rowCount'>;
  source: SourceRef;
  staged: StagedSource;
  extractedMonths: ExtractedMonth[];
  notes: string[];
};

/**
 * Number of months written at the same time. A small month takes little work: it mostly waits until the disk has
 * synced.
 */
const MONTHS_AT_ONCE = 4;

/** Writes or refuses each month of a source, and reports all months. */
export async function replaceMonths(
  { file, source, staged, extractedMonths, notes }: ReadSource,
  options: ReplaceOptions & Pick<ExtractRequest, 'month' | 'keepDropped'>,
  progress: Progress,
): Promise<ExtractReport> {
  progress(2, 2 + staged.months.length, `read ${file.rowCount} rows`);
  checkRowCount(file, staged);
  refuseOtherMonths(file, staged.months, options.month);
  await refuseUndated(file, staged, source, notes, options.dryRun);
  const months: MonthReport[] = [];
  const replace = async (month: StagedMonth) => {
    const isExtracted = extractedMonths.some((manifest) => manifest.month === month.month);
    if (isExtracted) return { report: buildMonthReport(month, 'unchanged'), notes: [] };
    if (options.keepDropped === true && (await staged.isDropped(month.month))) {
      return { report: buildMonthReport(month, 'dropped'), notes: [] };
    }
    return replaceMonth(month, staged, source, options);
  };
  for (let start = 0; start < staged.months.length; start += MONTHS_AT_ONCE) {
    const batch = staged.months.slice(start, start + MONTHS_AT_ONCE).map(replace);
    // If a month fails, waits for the rest of the batch, because the other months still read the staged rows. The
    // caller closes the staged rows afterwards.
    await Promise.allSettled(batch);
    for (const { report, notes: monthNotes } of await Promise.all(batch)) {
      months.push(report);
      notes.push(...monthNotes);
      progress(2 + months.length, 2 + staged.months.length, `${report.month} ${report.outcome}`);
    }
  }
  const report = buildSourceReport(source, months, staged.undatedRejects, notes);
  const { unknownValues = [] } = staged;
  return unknownValues.length === 0 ? report : { ...report, unknownValues };
}

/**
 * Throws `SourceFormatError` unless the file has exactly the requested month; does nothing without a requested month.
 */
export function refuseOtherMonths(
  file: Pick<SourceFile, 'name'>,
  fileMonths: { month: string }[],
  requested: string | undefined,
): void {
  if (requested === undefined || (fileMonths.length === 1 && fileMonths[0]?.month === requested)) {
    return;
  }
  const months = fileMonths.map(({ month }) => month).join(', ') || 'no month';
  throw new SourceFormatError(file.name, `contains ${months}; expected only ${requested}`);
}

function checkRowCount(file: Pick<SourceFile, 'name' | 'rowCount'>, staged: StagedSource): void {
  const readCount =
    sum(staged.months.map(({ rowsRead }) => rowsRead)) + sumCounts(staged.undatedRejects);
  if (readCount !== file.rowCount) {
    throw new SourceFormatError(
      file.name,
      `has ${file.rowCount} rows, but ${readCount} were read; a quoted value may contain a line break`,
    );
  }
}

async function refuseUndated(
  file: Pick<SourceFile, 'name' | 'rowCount'>,
  staged: StagedSource,
  source: SourceRef,
  notes: string[],
  dryRun = false,
): Promise<void> {
  const undatedCount = sumCounts(staged.undatedRejects);
  if (undatedCount === 0) {
    return;
  }
  const see = dryRun ? '' : `; see ${await staged.quarantine(undefined, source)}`;
  const detail = `${undatedCount} of ${file.rowCount} rows have no valid month (${formatRejects(staged.undatedRejects)})${see}`;
  if (hasTooManyRejects(undatedCount, file.rowCount)) {
    throw new SourceFormatError(file.name, detail);
  }
  notes.push(detail);
}
