import { effectOdds, expectedLogOdds } from '../../../models/effect-odds.ts';
import { hourSharesOf } from '../../../models/hour-shares.ts';
import { expit, logit } from '../../../warehouse/ground/log-odds.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';

/**
 * Error, in log-odds, of a forecast without an hour. The service adds the day's log-odds to the mean over the hours.
 * The exact forecast adds the day's log-odds in every hour, and then averages.
 */
export type ExpectationError = { airlineRoutes: number; mean: number; max: number };

/**
 * Changes of the log-odds on unusual days: half the average odds, and twice the average odds. They span the usual range
 * of seasons and weather.
 */
const DAY_LOG_ODDS = [-Math.LN2, Math.LN2];

/** Computes the error over all airline-routes in July, with equal weights. */
export function expectationError(store: ScoreStore): ExpectationError {
  const level = expectedLogOdds(store);
  let [count, sum, max] = [0, 0, 0];
  for (const flight of store.airlineRoutes()) {
    const query = { ...flight, flightDate: '2025-07-01' };
    const { depHours, shares } = hourSharesOf(query, store);
    const hours = depHours.map((hour, at) => {
      const hourQuery = Number.isNaN(hour) ? query : { ...query, crsDepHour: hour };
      return { share: shares[at] as number, odds: level + effectOdds(hourQuery, store) };
    });
    const expected = level + effectOdds(query, store);
    const errors = DAY_LOG_ODDS.map((day) => {
      const exactRate = hours.reduce((all, { share, odds }) => all + share * expit(odds + day), 0);
      return Math.abs(expected + day - logit(exactRate));
    });
    count += 1;
    sum += Math.max(...errors);
    max = Math.max(max, ...errors);
  }
  return { airlineRoutes: count, mean: sum / count, max };
}
