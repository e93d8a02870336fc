import { logit } from '../warehouse/ground/log-odds.ts';

/**
 * Each scale turns one factor into a value from 0 to 1 that rises with the risk. The value only shows where a factor is
 * on its scale. The points of the factor come from the factor's log-odds, which may go beyond the scale.
 */

/**
 * The delay rates that the scale maps to 0 and to 1. Among the airline-routes of 2018, 1 in 100 has a rate below 3.4 %, and 1
 * in 100 has a rate above 30 %.
 */
const DELAYED_RATE_SCALE = logOddsScale(0.03, 0.35);

/** Cancelled rates that have the values 0 and 1; the rate of the whole network in 2018, 1.7 %, is in the middle. */
const CANCELLED_RATE_SCALE = logOddsScale(0.003, 0.08);

/**
 * Odds relative to the average day that have the value 1; the inverse odds have the value 0. Month, weekday and holiday
 * together stay within this range.
 */
const FULL_SEASON_ODDS = 2;

/** The middle of a scale: an average day, or an unknown value. */
export const NEUTRAL = 0.5;

/** Risk of a delayed rate (0 to 1), linear in its log-odds: from 3 % (0) to 35 % (1). */
export function delayedRateValue(rate: number): number {
  return DELAYED_RATE_SCALE(rate);
}

/** Risk of a cancelled rate (0 to 1), linear in its log-odds: from 0.3 % (0) to 8 % (1). */
export function cancelledRateValue(rate: number): number {
  return CANCELLED_RATE_SCALE(rate);
}

/**
 * Risk of a day whose odds of delay are `odds` times the average: half the average gives 0, the average 0.5, twice the
 * average 1.
 */
export function seasonValue(odds: number): number {
  return clamp(NEUTRAL + Math.log(odds) / (2 * Math.log(FULL_SEASON_ODDS)));
}

/** A scale in log-odds with value 0 at `low` and 1 at `high`. */
function logOddsScale(low: number, high: number): (rate: number) => number {
  const from = logit(low);
  const length = logit(high) - from;
  return (rate) => clamp((logit(rate) - from) / length);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
