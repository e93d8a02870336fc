import type { Forecasts } from '../../pipelines/model/forecasts.ts';
import { measure, type Measurements } from '../../pipelines/model/measure.ts';
import type { ScoredOutcome } from '../../pipelines/model/score-outcomes.ts';

/** Ten completed flights of AA on 1 August 2018, one of them delayed; every method predicts 10 %. */
export function aScoredOutcome(
  changes: Partial<ScoredOutcome['outcome']> = {},
  predictions: Partial<ScoredOutcome> = {},
): ScoredOutcome {
  const outcome = {
    origin: 'JFK',
    dest: 'LAX',
    carrier: 'AA',
    flight_date: '2018-08-01',
    dated_by: 'day' as const,
    local_hour: 8,
    completed_count: 10,
    delayed15_count: changes.delayed_count ?? 1,
    delayed_count: 1,
    delayed45_count: 0,
    delayed60_count: 0,
    delayed90_count: 0,
    delayed120_count: 0,
    delayed180_count: 0,
    delayed360_count: 0,
    diverted_count: 0,
    cancelled_count: 0,
    ...changes,
  };
  return {
    outcome,
    tier: 'exact',
    linear: 10,
    blend: 10,
    ml: 0.1,
    rate: 0.1,
    confidence: 0.9,
    logOdds: -2,
    late: 0.1,
    ...predictions,
  };
}

export const USUAL_FLIGHTS = aScoredOutcome();
/** Ten completed flights of DL nine days later: three delayed, and two more cancelled. */
export const LATE_FLIGHTS = aScoredOutcome(
  { carrier: 'DL', flight_date: '2018-08-10', delayed_count: 3, cancelled_count: 2 },
  { linear: 20, blend: 40, ml: 0.2, tier: 'route_any_airline' },
);

/** Curves that convert a score of n to a probability of n percent. */
const asPercent = { linear: (score: number) => score / 100, blend: (score: number) => score / 100 };

/** Returns the measurements of these flights. The cut is 1 August 2018, and the former delay rate is a quarter. */
export function measureOutcomes(rows: ScoredOutcome[]): Measurements {
  const forecasts: Forecasts = { with_dep_time: rows, without_dep_time: rows };
  return measure({
    origins: ['2018-08-01'],
    baseRate: 0.25,
    scored: forecasts,
    plain: forecasts,
    curves: { with_dep_time: asPercent, without_dep_time: asPercent },
  });
}
