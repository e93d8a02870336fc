import type { Forecasts } from '../../pipelines/model/forecasts.ts';
import { measure, type Measured } from '../../pipelines/model/measure.ts';
import type { Scored } from '../../pipelines/model/score-outcomes.ts';

/** Ten completed flights of AA on 1 August 2018 of which one was delayed; every method says 10 %. */
export function someFlights(
  changes: Partial<Scored['outcome']> = {},
  said: Partial<Scored> = {},
): Scored {
  const outcome = {
    origin: 'JFK',
    dest: 'LAX',
    carrier: 'AA',
    flight_date: '2018-08-01',
    dated_by: 'day' as const,
    local_hour: 8,
    completed_count: 10,
    delayed_count: 1,
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
    ...said,
  };
}

export const CALM = someFlights();
/** The same of DL nine days later: three delayed, and two more cancelled. */
export const LATE = someFlights(
  { carrier: 'DL', flight_date: '2018-08-10', delayed_count: 3, cancelled_count: 2 },
  { linear: 20, blend: 40, ml: 0.2, tier: 'route_any_airline' },
);

/** Scores in percent are the probabilities. */
const asPercent = { linear: (score: number) => score / 100, blend: (score: number) => score / 100 };

/** The figures of the flights, cut at 1 August 2018, against a quarter delayed before. */
export function measured(rows: Scored[]): Measured {
  const forecasts: Forecasts = { with_dep_time: rows, without_dep_time: rows };
  return measure({
    origins: ['2018-08-01'],
    baseRate: 0.25,
    scored: forecasts,
    plain: forecasts,
    curves: { with_dep_time: asPercent, without_dep_time: asPercent },
  });
}
