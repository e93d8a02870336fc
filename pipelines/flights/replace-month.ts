import type { SourceRef } from '../../warehouse/lake/lake.ts';
import { buildMonthReport } from './extract-report.ts';
import type { StagedSource } from '../../warehouse/extract/staged-source.ts';
import { monthRefusal } from './refusal.ts';
import type { Comparison, StagedMonth } from '../../warehouse/extract/staged-month.ts';
import type { ExtractRequest, MonthReport } from './types.ts';

/** Options for replacing a month. */
export type ReplaceOptions = Pick<ExtractRequest, 'replaces' | 'dryRun'> & {
  force: boolean;
  /** The requested year, if the rows have no year. */
  requestedYear: number | undefined;
};

/**
 * Writes a staged month. If the lake would lose too much, refuses the month, and a note gives the reason. Holds the
 * lock of the month while it compares and writes. If two loads run at the same time, the second is thus compared with
 * the result of the first.
 */
export async function replaceMonth(
  month: StagedMonth,
  staged: StagedSource,
  source: SourceRef,
  { force, replaces, dryRun = false, requestedYear }: ReplaceOptions,
): Promise<{ report: MonthReport; notes: string[] }> {
  return staged.withMonthLock(month.month, async () => {
    const currentSource = await staged.readCurrentSource(month.month);
    const comparison = await staged.compare(month, source);
    const isReplaceable = currentSource !== undefined && replaces?.includes(currentSource) === true;
    const isProtected =
      replaces !== undefined &&
      currentSource !== undefined &&
      currentSource !== source.sha256 &&
      !isReplaceable;
    const refusal = monthRefusal(month, {
      comparison,
      force: force || isReplaceable,
      isProtected,
      requestedYear,
      sha256: source.sha256,
      provider: source.provider,
    });
    const change = describeChange(comparison);
    if (refusal === undefined) {
      if (!dryRun) await staged.writeMonth(month, source);
      return { report: { ...buildMonthReport(month, 'written'), ...change }, notes: [] };
    }
    const { why, hasBadRows } = refusal;
    const see =
      hasBadRows && !dryRun ? `; see ${await staged.quarantine(month.month, source)}` : '';
    const report = { ...buildMonthReport(month, 'refused'), why, ...change };
    return { report, notes: [`${month.month} refused: ${why}${see}`] };
  });
}

function describeChange(
  comparison: Comparison | undefined,
): Pick<MonthReport, 'replaced' | 'losses'> {
  if (comparison === undefined) return {};
  const { current, staged, losses } = comparison;
  return {
    replaced: { before: toExtent(current), after: toExtent(staged) },
    ...(losses.flights > 0 && { losses }),
  };
}

function toExtent<T extends { isSingle: boolean; sha256?: string }>({
  isSingle: _isSingle,
  sha256: _sha256,
  ...extent
}: T) {
  return extent;
}
