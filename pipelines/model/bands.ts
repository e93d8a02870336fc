import { LABELS, riskLabel } from '../../models/label.ts';
import type { BandRow, TenthRow } from '../../models/score-reliability.ts';
import type { ScoredOutcome } from './score-outcomes.ts';

/** The tenths of the scale; a score of 100 is in the last tenth. */
const TENTHS = Array.from({ length: 10 }, (_, tenth) => ({
  from: 10 * tenth,
  to: tenth === 9 ? 100 : 10 * tenth + 9,
}));

/** Returns outcomes by band of the blended score (statistics and model). Diverted flights are left out. */
export function bandsOf(scored: ScoredOutcome[]): BandRow[] {
  return LABELS.map((label) => ({
    label,
    ...outcomesOf(scored, ({ blend }) => riskLabel(blend) === label),
  }));
}

/** Outcomes by tenth of the scale, for the served score. */
export function tenthsOf(scored: ScoredOutcome[]): TenthRow[] {
  return TENTHS.map(({ from, to }) => ({
    from,
    to,
    ...outcomesOf(scored, ({ blend }) => Math.round(blend) >= from && Math.round(blend) <= to),
  }));
}

function outcomesOf(scored: ScoredOutcome[], isIn: (row: ScoredOutcome) => boolean) {
  let [all, n, disrupted] = [0, 0, 0];
  for (const row of scored) {
    const { completed_count, cancelled_count, delayed_count } = row.outcome;
    all += completed_count + cancelled_count;
    if (!isIn(row)) continue;
    n += completed_count + cancelled_count;
    disrupted += delayed_count + cancelled_count;
  }
  return { n, share: all === 0 ? 0 : n / all, disrupted: n === 0 ? null : disrupted / n };
}
