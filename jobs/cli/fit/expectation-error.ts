import { effectOdds, expectedLogOdds } from '../../../models/effect-odds.ts';
import { hoursMeant } from '../../../models/hours-meant.ts';
import { expit, logit } from '../../../warehouse/ground/log-odds.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';

/** By how much, in log-odds, a day's odds added to the expectation over the hours miss the expectation with them inside. */
export type ExpectationError = { airlineRoutes: number; mean: number; most: number };

/** Half the odds and twice the odds: as far from an average day as seasons and weather usually bring one. */
const DAYS = [-Math.LN2, Math.LN2];

/** The error over all airline-routes, each alike, in July. */
export function expectationError(store: ScoreStore): ExpectationError {
  const level = expectedLogOdds(store);
  let [count, sum, most] = [0, 0, 0];
  for (const flight of store.airlineRoutes()) {
    const query = { ...flight, flightDate: '2025-07-01' };
    const { depHours, shares } = hoursMeant(query, store);
    const hours = depHours.map((hour, at) => {
      const named = Number.isNaN(hour) ? query : { ...query, crsDepHour: hour };
      const { delay_rate, congestion } = effectOdds(named, store);
      return { share: shares[at] as number, odds: level + delay_rate + congestion };
    });
    const { delay_rate, congestion } = effectOdds(query, store);
    const expected = level + delay_rate + congestion;
    const errors = DAYS.map((day) => {
      const inside = hours.reduce((all, { share, odds }) => all + share * expit(odds + day), 0);
      return Math.abs(expected + day - logit(inside));
    });
    count += 1;
    sum += Math.max(...errors);
    most = Math.max(most, ...errors);
  }
  return { airlineRoutes: count, mean: sum / count, most };
}
