import { logit } from '../warehouse/ground/log-odds.ts';

/**
 * Share of U.S. flights that arrive more than 30 minutes late in the long run; single years are between 0.06 and 0.14.
 */
const LONG_RUN_RATE = 0.115;

/**
 * If the rate of a history differs from the long-run rate, this share of the difference, in log-odds, remains in the
 * months after the history. Measured over 64 airports of 2018: 0.8 of the difference in nine months remained in the
 * next three months. Over New York's airports, 0.7 of the difference in 2017 remained in 2018.
 */
const DISTANCE_KEPT = 0.75;

/** Returns the expected log-odds of delay after a history with this rate, moved toward the long-run rate. */
export function expectedLevel(rate: number): number {
  return logit(LONG_RUN_RATE) + DISTANCE_KEPT * (logit(rate) - logit(LONG_RUN_RATE));
}
