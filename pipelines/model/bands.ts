import { riskLabel } from '../../models/label.ts';
import type { RiskLabel } from '../../models/types.ts';
import type { Scored } from './score-outcomes.ts';

/** Flights of a band, and the share of them that was delayed or cancelled; null without flights. */
export type BandRow = { label: RiskLabel; n: number; disrupted: number | null };

const LABELS: RiskLabel[] = ['Low', 'Moderate', 'High', 'Very High'];

/** What became of the flights of each band of the blend's score; diverted flights are left out. */
export function bandsOf(scored: Scored[]): BandRow[] {
  const counts = new Map(LABELS.map((label) => [label, { n: 0, disrupted: 0 }]));
  for (const { outcome, blend } of scored) {
    const count = counts.get(riskLabel(blend));
    if (!count) continue;
    count.n += outcome.completed_count + outcome.cancelled_count;
    count.disrupted += outcome.delayed_count + outcome.cancelled_count;
  }
  return [...counts].map(([label, { n, disrupted }]) => ({
    label,
    n,
    disrupted: n === 0 ? null : disrupted / n,
  }));
}
