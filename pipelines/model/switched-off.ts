import { LABELS, riskLabel } from '../../models/label.ts';
import { scorePoints } from '../../models/points.ts';
import type { Scored } from './score-outcomes.ts';

/** What switching the model off does to the scores it has its full share in. */
export type SwitchedOff = {
  /** Scheduled flights that were not diverted, with a confidence of one half or more. */
  n: number;
  /** Shares of them whose score moves by more than 3 points, whose band changes, and whose band changes by two or more. */
  moved: number;
  otherBand: number;
  twoBands: number;
};

const HARDLY = 3;

/** The scores with the model against those without, which have marks of their own. */
export function switchedOff(scored: Scored[]): SwitchedOff {
  const sums = { n: 0, moved: 0, otherBand: 0, twoBands: 0 };
  for (const { outcome, blend, ml, confidence, logOdds } of scored) {
    if (ml === undefined || confidence < 0.5) continue;
    const [served, alone] = [Math.round(blend), Math.round(scorePoints(logOdds, undefined).score)];
    const bands = Math.abs(LABELS.indexOf(riskLabel(served)) - LABELS.indexOf(riskLabel(alone)));
    const flights = outcome.completed_count + outcome.cancelled_count;
    sums.n += flights;
    if (Math.abs(served - alone) > HARDLY) sums.moved += flights;
    if (bands > 0) sums.otherBand += flights;
    if (bands > 1) sums.twoBands += flights;
  }
  const share = (part: number) => (sums.n === 0 ? 0 : part / sums.n);
  return {
    n: sums.n,
    moved: share(sums.moved),
    otherBand: share(sums.otherBand),
    twoBands: share(sums.twoBands),
  };
}
