import { logit } from '../warehouse/ground/log-odds.ts';

/** Share of U.S. flights that arrive more than 30 minutes late in the long run; years lie between 0.06 and 0.14. */
const LONG_RUN_RATE = 0.115;

/**
 * How much of a history's distance from the long run the months after it keep, in log-odds. Of 64 airports of 2018,
 * 0.8 of nine months' distance stayed in the next three; of New York's in 2017, 0.7 was there in 2018.
 */
const DISTANCE_KEPT = 0.75;

/** Log-odds to expect after a history of that rate: nearer to the long run. */
export function expectedLevel(rate: number): number {
  return logit(LONG_RUN_RATE) + DISTANCE_KEPT * (logit(rate) - logit(LONG_RUN_RATE));
}
