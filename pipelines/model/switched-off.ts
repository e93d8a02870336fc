import { LABELS, riskLabel } from '../../models/label.ts';
import { scorePoints } from '../../models/points.ts';
import type { ScoredOutcome } from './score-outcomes.ts';

/** Effect of switching the model off, measured on scores in which the model has its full weight. */
export type SwitchOffEffect = {
  /** Scheduled flights that were not diverted, with a confidence of 0.5 or more. */
  n: number;
  /**
   * Three shares of flights: the score moves by more than 3 points (`moved`), the band changes (`otherBand`), and the
   * band changes by two or more bands (`twoBands`).
   */
  moved: number;
  otherBand: number;
  twoBands: number;
};

const SMALL_MOVE_POINTS = 3;

/**
 * Compares the scores with a model to the scores without a model. Scores without a model use a separate line from
 * log-odds to points.
 */
export function switchOffEffect(scored: ScoredOutcome[]): SwitchOffEffect {
  const sums = { n: 0, moved: 0, otherBand: 0, twoBands: 0 };
  for (const { outcome, blend, ml, confidence, logOdds } of scored) {
    if (ml === undefined || confidence < 0.5) continue;
    const [served, withoutModel] = [
      Math.round(blend),
      Math.round(scorePoints(logOdds, undefined).score),
    ];
    const bands = Math.abs(
      LABELS.indexOf(riskLabel(served)) - LABELS.indexOf(riskLabel(withoutModel)),
    );
    const flights = outcome.completed_count + outcome.cancelled_count;
    sums.n += flights;
    if (Math.abs(served - withoutModel) > SMALL_MOVE_POINTS) sums.moved += flights;
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
