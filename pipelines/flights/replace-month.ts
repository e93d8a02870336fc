import type { SourceRef } from '../../warehouse/lake/lake.ts';
import { monthReport } from './extract-report.ts';
import type { StagedSource } from './staged-source.ts';
import { monthRefusal } from './refusal.ts';
import type { ExtractRequest, MonthReport, StagedMonth } from './types.ts';

/** How a month is asked to be replaced. */
export type ReplaceOptions = Pick<ExtractRequest, 'replaces' | 'dryRun'> & {
  force: boolean;
  /** The year asked for, where the rows tell none. */
  yearAsked: number | undefined;
};

/**
 * Writes a staged month, unless what it would replace is better: then it is refused, and a note says why. While
 * it decides and writes, nobody else writes the month: of two at once the second is held against the first.
 */
export async function replaceMonth(
  month: StagedMonth,
  staged: StagedSource,
  source: SourceRef,
  { force, replaces, dryRun = false, yearAsked }: ReplaceOptions,
): Promise<{ report: MonthReport; notes: string[] }> {
  return staged.alone(month.month, async () => {
    const held = await staged.sourceHeld(month.month);
    const comparison = await staged.compare(month, source);
    const isKnown = held !== undefined && replaces?.includes(held) === true;
    const isSpared =
      replaces !== undefined && held !== undefined && held !== source.sha256 && !isKnown;
    const refusal = monthRefusal(month, {
      comparison,
      force: force || isKnown,
      isSpared,
      yearAsked,
      sha256: source.sha256,
    });
    const replaced = comparison && {
      before: bare(comparison.held),
      after: bare(comparison.staged),
    };
    if (refusal === undefined) {
      if (!dryRun) await staged.writeMonth(month, source);
      return {
        report: { ...monthReport(month, 'written'), ...(replaced && { replaced }) },
        notes: [],
      };
    }
    const { why, isDirty } = refusal;
    const see = isDirty && !dryRun ? `; see ${await staged.quarantine(month.month, source)}` : '';
    const report = { ...monthReport(month, 'refused'), why, ...(replaced && { replaced }) };
    return { report, notes: [`${month.month} refused: ${why}${see}`] };
  });
}

function bare<T extends { isSingle: boolean; sha256?: string }>({
  isSingle: _isSingle,
  sha256: _sha256,
  ...extent
}: T) {
  return extent;
}
