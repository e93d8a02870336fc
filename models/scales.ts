import { logit } from '../warehouse/ground/log-odds.ts';

/**
 * Each scale maps one factor to a value from 0 to 1 that rises with the risk. The values are only displayed. The points
 * of a score come from the factor's log-odds, which may be beyond the scale.
 */

/**
 * The delay rates that the scale maps to 0 and to 1. Among the airline-routes of 2018, 1 in 100 has a rate below 3.4 %,
 * and 1 in 100 has a rate above 30 %.
 */
const DELAYED_RATE_SCALE = logOddsScale(0.03, 0.35);

/**
 * The cancelled rates that the scale maps to 0 and to 1. The rate of the whole network in 2018 was 1.7 %, which is in
 * the middle.
 */
const CANCELLED_RATE_SCALE = logOddsScale(0.003, 0.08);

/**
 * The odds, relative to the average day, that the scale maps to 1. The inverse odds are mapped to 0. Month, weekday and
 * holiday together stay within this range.
 */
const FULL_SEASON_ODDS = 2;

/** The middle of a scale: an average day, or an unknown value. */
export const NEUTRAL = 0.5;

/** Maps a delayed rate (0 to 1) to the scale: 3 % is 0, and 35 % is 1. Linear in log-odds. */
export function delayedRateValue(rate: number): number {
  return DELAYED_RATE_SCALE(rate);
}

/** Maps a cancelled rate (0 to 1) to the scale: 0.3 % is 0, and 8 % is 1. Linear in log-odds. */
export function cancelledRateValue(rate: number): number {
  return CANCELLED_RATE_SCALE(rate);
}

/** Maps the odds of delay of a day, relative to an average day, to the scale: half is 0, equal is 0.5, double is 1. */
export function seasonValue(odds: number): number {
  return clamp(NEUTRAL + Math.log(odds) / (2 * Math.log(FULL_SEASON_ODDS)));
}

/** Creates a scale that is linear in log-odds, with value 0 at `low` and 1 at `high`. */
function logOddsScale(low: number, high: number): (rate: number) => number {
  const from = logit(low);
  const length = logit(high) - from;
  return (rate) => clamp((logit(rate) - from) / length);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
