import { sum } from '../../warehouse/ground/sum.ts';
import type { SourceRef } from '../../warehouse/lake/lake.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { SourceFormatError } from '../errors.ts';
import type { SourceFile } from './extract-deps.ts';
import { monthReport, sourceReport } from './extract-report.ts';
import { isTooMany, reasons, total } from './refusal.ts';
import { replaceMonth, type ReplaceOptions } from './replace-month.ts';
import type { StagedSource } from './staged-source.ts';
import type { ExtractReport, HeldMonth, MonthReport, StagedMonth } from './types.ts';

/** A source whose rows are read, and what the lake holds of this very one. */
export type ReadSource = {
  /** Its rows are those that were counted apart from the reader. */
  file: Pick<SourceFile, 'name' | 'rowCount'>;
  source: SourceRef;
  staged: StagedSource;
  inLake: HeldMonth[];
  notes: string[];
};

/** One is read while the disk keeps others: most of a small month is waiting until its files are safe. */
const MONTHS_AT_ONCE = 4;

/** Decides on each month of a source, writes those it keeps, and reports all. */
export async function replaceMonths(
  { file, source, staged, inLake, notes }: ReadSource,
  options: ReplaceOptions & { month?: string },
  progress: Progress,
): Promise<ExtractReport> {
  progress(2, 2 + staged.months.length, `read ${file.rowCount} rows`);
  checkEveryRowIsThere(file, staged);
  refuseOtherMonths(file, staged.months, options.month);
  await refuseWhenUndated(file, staged, source, notes, options.dryRun);
  const months: MonthReport[] = [];
  const replace = async (month: StagedMonth) => {
    const held = inLake.find((manifest) => manifest.month === month.month);
    if (held) return { report: monthReport(month, 'unchanged'), notes: [] };
    return replaceMonth(month, staged, source, options);
  };
  for (let from = 0; from < staged.months.length; from += MONTHS_AT_ONCE) {
    const begun = staged.months.slice(from, from + MONTHS_AT_ONCE).map(replace);
    // One that fails ends the load when those begun with it have ended: they use what it closes.
    await Promise.allSettled(begun);
    for (const { report, notes: said } of await Promise.all(begun)) {
      months.push(report);
      notes.push(...said);
      progress(2 + months.length, 2 + staged.months.length, `${report.month} ${report.outcome}`);
    }
  }
  return sourceReport(source, months, staged.undatedRejects, notes);
}

/** Throws `SourceFormatError` where it was to hold that month alone and does not. */
export function refuseOtherMonths(
  file: Pick<SourceFile, 'name'>,
  held: { month: string }[],
  asked: string | undefined,
): void {
  if (asked === undefined || (held.length === 1 && held[0]?.month === asked)) {
    return;
  }
  const months = held.map(({ month }) => month).join(', ') || 'no month';
  throw new SourceFormatError(file.name, `holds ${months}, not just ${asked}`);
}

function checkEveryRowIsThere(
  file: Pick<SourceFile, 'name' | 'rowCount'>,
  staged: StagedSource,
): void {
  const found = sum(staged.months.map(({ rowsRead }) => rowsRead)) + total(staged.undatedRejects);
  if (found !== file.rowCount) {
    throw new SourceFormatError(
      file.name,
      `holds ${file.rowCount} rows but ${found} were read; a quoted value may run over a line end`,
    );
  }
}

async function refuseWhenUndated(
  file: Pick<SourceFile, 'name' | 'rowCount'>,
  staged: StagedSource,
  source: SourceRef,
  notes: string[],
  dryRun = false,
): Promise<void> {
  const undated = total(staged.undatedRejects);
  if (undated === 0) {
    return;
  }
  const see = dryRun ? '' : `; see ${await staged.quarantine(undefined, source)}`;
  const detail = `${undated} of ${file.rowCount} rows tell no month (${reasons(staged.undatedRejects)})${see}`;
  if (isTooMany(undated, file.rowCount)) {
    throw new SourceFormatError(file.name, detail);
  }
  notes.push(detail);
}
