import { logit } from '../warehouse/ground/log-odds.ts';

/**
 * Value scales: each turns one factor into a risk from 0 to 1, rising with the factor. A value only says where a factor
 * lies; its points go by its log-odds, which no scale cuts off.
 */

/** Delayed rates that mean 0 and 1: of the airline-routes of 2018, 1 in 100 lies below 3.4 %, 1 in 100 above 30 %. */
const DELAYED_RATE_SCALE = logOddsScale(0.03, 0.35);

/** Cancelled rates that mean 0 and 1; the network's 1.7 % of 2018 lies in the middle. */
const CANCELLED_RATE_SCALE = logOddsScale(0.003, 0.08);

/** Odds against the average day that mean 1; their inverse means 0. Months, weekdays and holidays together stay within. */
const FULL_SEASON_ODDS = 2;

/** Odds against the average hour that mean 1; their inverse means 0. Between an early morning and a late evening lies a factor of six. */
const FULL_HOUR_ODDS = 3;

/** The middle of a scale: what an average day, or one nothing is known of, is worth. */
export const NEUTRAL = 0.5;

/** Risk of a delayed rate (0 to 1), linear in its log-odds: from 3 % (0) to 35 % (1). */
export function delayedRateValue(rate: number): number {
  return DELAYED_RATE_SCALE(rate);
}

/** Risk of a cancelled rate (0 to 1), linear in its log-odds: from 0.3 % (0) to 8 % (1). */
export function cancelledRateValue(rate: number): number {
  return CANCELLED_RATE_SCALE(rate);
}

/** Risk of a day whose odds of delay are `odds` times the average: half the odds is 0, average 0.5, twice 1. */
export function seasonValue(odds: number): number {
  return oddsValue(Math.log(odds), FULL_SEASON_ODDS);
}

/** Risk of the hours at both ends, whose odds of delay are `odds` times the average: a third is 0, average 0.5, three times 1. */
export function hourValue(odds: number): number {
  return oddsValue(Math.log(odds), FULL_HOUR_ODDS);
}

function oddsValue(logOdds: number, fullOdds: number): number {
  return clamp(NEUTRAL + logOdds / (2 * Math.log(fullOdds)));
}

/** The scale on which `low` is worth 0 and `high` 1. */
function logOddsScale(low: number, high: number): (rate: number) => number {
  const from = logit(low);
  const length = logit(high) - from;
  return (rate) => clamp((logit(rate) - from) / length);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
