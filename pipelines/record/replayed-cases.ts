import type { ReplayedCase } from '../../warehouse/build/score-forecasts.ts';
import { isoWeekday, monthOf } from '../../warehouse/ground/dates.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { ScoredOutcome } from '../model/score-outcomes.ts';
import { blocksOf } from '../model/trial.ts';
import { disruptedOf } from './freeze-night.ts';

/**
 * Converts backtest forecasts of a provider's flights to cases of the record of forecasts. Callers pass the forecasts
 * that were made with the departure time.
 */
export function replayedCases(scored: readonly ScoredOutcome[], provider: string): ReplayedCase[] {
  const blocks = blocksOf(scored.map(({ outcome }) => outcome));
  return scored.map(({ outcome, ml, curve }, at) => ({
    month: monthOf(outcome.flight_date),
    ...{ provider, carrier: outcome.carrier, origin: outcome.origin, dest: outcome.dest },
    local_hour: outcome.local_hour,
    ...{ slot: slotOf(outcome), block: blocks[at] as string },
    late_probability: ml ?? null,
    disrupted_probability:
      ml === undefined || curve === undefined ? null : disruptedOf(ml, curve.cancelled),
    completed_count: outcome.completed_count,
    delayed_count: outcome.delayed_count,
    diverted_count: outcome.diverted_count,
    cancelled_count: outcome.cancelled_count,
  }));
}

/**
 * Returns the date of a group of flights: the day, or a less precise date if the source has no days. See
 * `insert_outcomes.sql`.
 */
function slotOf({ flight_date: day, dated_by: datedBy }: Outcome): string {
  if (datedBy === 'day') return day;
  return datedBy === 'weekday' ? `${monthOf(day)} ${isoWeekday(day)}` : monthOf(day);
}
