import { LABELS, riskLabel } from '../../models/label.ts';
import type { BandRow, TenthRow } from '../../models/score-reliability.ts';
import type { Scored } from './score-outcomes.ts';

/** The tenths of the scale; a full 100 is in the last. */
const TENTHS = Array.from({ length: 10 }, (_, tenth) => ({
  from: 10 * tenth,
  to: tenth === 9 ? 100 : 10 * tenth + 9,
}));

/** What became of the flights of each band of the blend's score; diverted flights are left out. */
export function bandsOf(scored: Scored[]): BandRow[] {
  return LABELS.map((label) => ({
    label,
    ...cameOf(scored, ({ blend }) => riskLabel(blend) === label),
  }));
}

/** What became of the flights of each tenth of the scale, by the score that is served. */
export function tenthsOf(scored: Scored[]): TenthRow[] {
  return TENTHS.map(({ from, to }) => ({
    from,
    to,
    ...cameOf(scored, ({ blend }) => Math.round(blend) >= from && Math.round(blend) <= to),
  }));
}

function cameOf(scored: Scored[], isIn: (row: Scored) => boolean) {
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
