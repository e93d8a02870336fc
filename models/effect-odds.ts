import type { ScoreStore } from '../warehouse/store/types.ts';
import { assembleRows } from './assemble.ts';
import { operatedFlights } from './brands.ts';
import { hourSharesOf } from './hour-shares.ts';
import { FEATURES } from './features.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';
import { seasonOf } from './season.ts';
import type { FlightQuery } from './types.ts';

/** Indexes of the effects in `FEATURES`. */
const EFFECTS = FEATURES.flatMap(({ name }, at) => (name.endsWith('_effect') ? [at] : []));

/**
 * Returns the log-odds of delay for a flight without effects on an average day. This is the current level if it is
 * known. Otherwise, it is the level of the newest months, moved toward the long-run level.
 */
export function expectedLogOdds({ network }: Pick<ScoreStore, 'network'>): number {
  const { levelLogOdds, levelRate, isLevelNow } = network;
  return isLevelNow ? levelLogOdds : levelLogOdds + expectedLevel(levelRate) - logit(levelRate);
}

/**
 * Returns the summed effects of a flight's groups. The store contains most of these sums. The sum is computed only for
 * an hour in which the airline does not depart, and for an airline that is new to the route. The sum of a brand is the
 * average over its operators.
 */
export function effectOdds(query: FlightQuery, store: ScoreStore): number {
  if (query.isBrand) {
    const cases = operatedFlights(query, store).map(({ query: one, share }) => ({
      share,
      odds: operatorOdds(one, store),
    }));
    return expectedOdds(cases, store);
  }
  return operatorOdds(query, store);
}

function operatorOdds(query: FlightQuery, store: ScoreStore): number {
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

/** Returns the summed effects of a flight's groups in each departure hour. NaN is an unknown hour. */
export function hourlyOdds(
  query: FlightQuery,
  depHours: readonly number[],
  store: ScoreStore,
): number[] {
  const rows = assembleRows(query, depHours, store, {}, DAY_ROWS_BUFFER);
  return depHours.map((_, row) => sumOfEffects(rows, row * WIDTH));
}

const WIDTH = FEATURES.length;

/** Buffer for one row per hour of a day. It is reused, because allocating a typed array is slow. */
const DAY_ROWS_BUFFER = new Float32Array(24 * WIDTH);

/**
 * Returns the log-odds of the mean probability over the hours in which an airline departs. Callers add the log-odds of
 * the day to this mean. The sum is slightly inexact; docs/features.md has the error.
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

/**
 * Returns the sum of the effects in a row. NaN is treated as 0, because effects by hour are NaN if the hour is unknown.
 */
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
 * The delay rate of a history differs from the long-run rate. This is the share of the difference, in log-odds, that
 * remains in the months after the history. Measured over 64 airports of 2018: 0.8 of the difference in nine months
 * remained in the next three months. At New York's airports, 0.7 of the difference in 2017 remained in 2018.
 */
const DISTANCE_KEPT = 0.75;

/** Returns the expected log-odds of delay after a history with this rate, moved toward the long-run rate. */
export function expectedLevel(rate: number): number {
  return logit(LONG_RUN_RATE) + DISTANCE_KEPT * (logit(rate) - logit(LONG_RUN_RATE));
}
