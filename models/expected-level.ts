import { logit } from '../warehouse/ground/log-odds.ts';

/**
 * Share of U.S. flights that arrive more than 30 minutes late in the long run; single years are between 0.06 and 0.14.
 */
const LONG_RUN_RATE = 0.115;

/**
 * Share of a history's distance from the long run, in log-odds, that remains in the months after it. Over 64 airports
 * of 2018, 0.8 of nine months' distance remained in the next three; over New York's airports, 0.7 of 2017's remained in
 * 2018.
 */
const DISTANCE_KEPT = 0.75;

/** Returns the expected log-odds of delay after a history with this rate, moved toward the long run. */
export function expectedLevel(rate: number): number {
  return logit(LONG_RUN_RATE) + DISTANCE_KEPT * (logit(rate) - logit(LONG_RUN_RATE));
}
