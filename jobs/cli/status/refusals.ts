import { treeOfSource } from '../../../pipelines/flights/source-tree.ts';
import type { ExtractReport, MonthReport } from '../../../pipelines/flights/types.ts';
import type { LakeTree } from '../../../warehouse/lake/lake.ts';
import type { Run } from '../../../warehouse/lake/ledger.ts';

/** The last refusal of a month: file, time, reason and rejected rows. */
export type Refusal = {
  file: string;
  at: string;
  why: string | undefined;
  rejects: MonthReport['rejects'];
};

/**
 * Returns the last refusal of each month of flights or of the delay-cause table, unless a later file was accepted. The
 * months are of the American record, or of `provider`.
 */
export function lastRefusals(runs: Run[], tree: LakeTree, provider?: string): Map<string, Refusal> {
  const refusals = new Map<string, Refusal>();
  for (const run of runs) {
    if (run.step !== 'extract' || run.outcome !== 'done') continue;
    const report = run.detail as ExtractReport;
    // Skips refusals for other providers and for the other table.
    if (report.source.provider !== provider || treeOfSource(report.source) !== tree) continue;
    for (const { month, outcome, why, rejects } of report.months) {
      if (outcome !== 'refused') refusals.delete(month);
      else refusals.set(month, { file: report.source.name, at: run.finishedAt, why, rejects });
    }
  }
  return refusals;
}

/** Returns whether the refusal is newer than the month in the lake. */
export function isNewerThan(
  refusal: Refusal,
  manifest: { extractedAt: string } | undefined,
): boolean {
  return !manifest || refusal.at > manifest.extractedAt;
}
