import { memoizeFor } from '../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import { congestionLogOdds, congestionOf } from './congestion.ts';
import { effectOdds, expectedLogOdds } from './effect-odds.ts';
import { NEUTRAL } from './scales.ts';

/**
 * Mean log-odds that three factors add to the flights of the history on an average day. The other factors are measured
 * relative to an average flight, so their mean is 0.
 */
export type AverageFlight = { delay_rate: number; cancel_rate: number; congestion: number };

/** Returns the average flight of a store. The first call for a store takes a few milliseconds. */
export const averageFlight: (store: ScoreStore) => AverageFlight = memoizeFor(measureAverage);

/** Returns the log-odds of being late or cancelled minus the log-odds of being late. */
export function cancelLogOdds(delayedRate: number, cancelledRate: number): number {
  return Math.log1p(cancelledRate / ((1 - cancelledRate) * delayedRate));
}

/** Maximum number of airline-routes in the average. With more, the first answer would take too long. */
const MAX_SAMPLE = 4_000;

/** A Wednesday between summer and winter. */
const AVERAGE_DAY = '2025-04-02';

function measureAverage(store: ScoreStore): AverageFlight {
  const flights = [...store.airlineRoutes()];
  const step = Math.ceil(flights.length / MAX_SAMPLE);
  const level = expectedLogOdds(store);
  const sums = { weight: 0, late: 0, cancelled: 0, congestion: 0 };
  for (let at = 0; at < flights.length; at += step) {
    const query = { ...flights[at]!, flightDate: AVERAGE_DAY };
    const stats = store.routeCarrier(query.origin, query.dest, query.carrier);
    if (!stats) continue;
    const { flightCount, delayedRate, cancelledRate } = stats;
    sums.weight += flightCount;
    sums.late += flightCount * (level + effectOdds(query, store));
    sums.cancelled += flightCount * cancelLogOdds(delayedRate, cancelledRate);
    sums.congestion += flightCount * congestionLogOdds(congestionOf(query, store), [], store);
  }
  return sums.weight === 0 ? emptyAverage(store, level) : averageOf(sums);
}

function averageOf({ weight, late, cancelled, congestion }: Record<Sum, number>): AverageFlight {
  return {
    delay_rate: (late - congestion) / weight,
    cancel_rate: cancelled / weight,
    congestion: congestion / weight,
  };
}

type Sum = 'weight' | 'late' | 'cancelled' | 'congestion';

/**
 * Returns the average flight of a history without airline-routes, from the rates of the network. The congestion at both
 * airports is average.
 */
function emptyAverage(store: ScoreStore, level: number): AverageFlight {
  const { delayedRate, cancelledRate } = store.network;
  const congestion = congestionLogOdds({ dep: NEUTRAL, arr: NEUTRAL }, [], store);
  return {
    delay_rate: level - congestion,
    cancel_rate: cancelLogOdds(delayedRate, cancelledRate),
    congestion,
  };
}
