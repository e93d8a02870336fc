import type { ScoreStore } from '../warehouse/store/types.ts';
import { assembleRows } from './assemble.ts';
import { hourSharesOf } from './hour-shares.ts';
import { FEATURES } from './features.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';
import { seasonOf } from './season.ts';
import type { FlightQuery } from './types.ts';

/** Indexes in `FEATURES` of the effects of groups. */
const EFFECTS = FEATURES.flatMap(({ name }, at) => (name.endsWith('_effect') ? [at] : []));

/**
 * Expected log-odds of delay for a flight without effects on an average day: the current level where known, otherwise
 * the level of the newest months, moved toward the long-run level.
 */
export function expectedLogOdds({ network }: Pick<ScoreStore, 'network'>): number {
  const { levelLogOdds, levelRate, isLevelNow } = network;
  return isLevelNow ? levelLogOdds : levelLogOdds + expectedLevel(levelRate) - logit(levelRate);
}

/**
 * Returns the summed effects of a flight's groups, as published in the store. Computes the sums that the store lacks: for
 * an hour in which the airline does not depart, and for an airline that is new to the route.
 */
export function effectOdds(query: FlightQuery, store: ScoreStore): number {
  return store.flightOdds(query, seasonOf(query.flightDate)) ?? computeEffectOdds(query, store);
}

/** Computes the summed effects of a flight's groups. */
export function computeEffectOdds(query: FlightQuery, store: ScoreStore): number {
  const { depHours, shares } = hourSharesOf(query, store);
  const odds = hourlyOdds(query, depHours, store);
  const [single] = odds;
  if (odds.length === 1 && single !== undefined) return single;
  return expectedOdds(
    odds.map((odds, at) => ({ share: shares[at] as number, odds })),
    store,
  );
}

/**
 * Summed effects of a flight's groups in each of the departure hours. A departure hour of NaN means that the hour is
 * unknown.
 */
export function hourlyOdds(
  query: FlightQuery,
  depHours: readonly number[],
  store: ScoreStore,
): number[] {
  const rows = assembleRows(query, depHours, store, {}, DAY_ROWS_BUFFER);
  return depHours.map((_, row) => sumOfEffects(rows, row * WIDTH));
}

const WIDTH = FEATURES.length;

/** Buffer for the rows of a day's hours. The buffer is reused, because allocating a typed array is slow. */
const DAY_ROWS_BUFFER = new Float32Array(24 * WIDTH);

/**
 * Averages the odds over the hours in which an airline departs, as probabilities. Callers add the log-odds of the day to
 * the result. This sum is slightly inexact; docs/features.md has the error.
 */
export function expectedOdds(
  cases: { share: number; odds: number }[],
  store: Pick<ScoreStore, 'network'>,
): number {
  const level = expectedLogOdds(store);
  let probability = 0;
  for (const { share, odds } of cases) probability += share * expit(level + odds);
  return logit(probability) - level;
}

/** Returns the sum of the effects in a row; NaN, as for an unknown hour, counts as 0. */
function sumOfEffects(rows: Float32Array, from: number): number {
  let sum = 0;
  for (const at of EFFECTS) sum += rows[from + at] || 0;
  return sum;
}

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
