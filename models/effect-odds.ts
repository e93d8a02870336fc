import type { EffectOdds, ScoreStore } from '../warehouse/store/types.ts';
import { assembleRows } from './assemble.ts';
import { hourSharesOf } from './hour-shares.ts';
import { expectedLevel } from './expected-level.ts';
import { FEATURES } from './features.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';
import { seasonOf } from './season.ts';
import type { ComponentKey, FlightQuery } from './types.ts';

/** Indexes in `FEATURES` of a component's effects. */
function effectIndexes(component: ComponentKey): number[] {
  return FEATURES.flatMap((feature, at) =>
    feature.component === component && feature.name.endsWith('_effect') ? [at] : [],
  );
}

const DELAY_RATE = effectIndexes('delay_rate');
const CONGESTION = effectIndexes('congestion');

/**
 * Expected log-odds of delay for a flight without effects on an average day: the current level where known, otherwise
 * the level of the newest months, moved toward the long-run level.
 */
export function expectedLogOdds({ network }: Pick<ScoreStore, 'network'>): number {
  const { levelLogOdds, levelRate, isLevelNow } = network;
  return isLevelNow ? levelLogOdds : levelLogOdds + expectedLevel(levelRate) - logit(levelRate);
}

/**
 * Returns the sums of a flight's effects by component, as published in the store. Computes the sums that the store
 * lacks: for an hour in which the airline does not depart, and for an airline that is new to the route.
 */
export function effectOdds(query: FlightQuery, store: ScoreStore): EffectOdds {
  return store.flightOdds(query, seasonOf(query.flightDate)) ?? computeEffectOdds(query, store);
}

/** Computes the sums of a flight's effects by component. */
export function computeEffectOdds(query: FlightQuery, store: ScoreStore): EffectOdds {
  const { depHours, shares } = hourSharesOf(query, store);
  const odds = hourlyOdds(query, depHours, store);
  const [single] = odds;
  if (odds.length === 1 && single) return single;
  return expectedOdds(
    odds.map((odds, at) => ({ share: shares[at] as number, odds })),
    store,
  );
}

/**
 * Sums of a flight's effects by component, for each of the departure hours. A departure hour of NaN means that the hour
 * is unknown.
 */
export function hourlyOdds(
  query: FlightQuery,
  depHours: readonly number[],
  store: ScoreStore,
): EffectOdds[] {
  const rows = assembleRows(query, depHours, store, {}, DAY_ROWS_BUFFER);
  return depHours.map((_, row) => oddsOf(rows, row * WIDTH));
}

const WIDTH = FEATURES.length;

/** Buffer for the rows of a day's hours. The buffer is reused, because allocating a typed array is slow. */
const DAY_ROWS_BUFFER = new Float32Array(24 * WIDTH);

/**
 * Averages the odds over the hours in which an airline departs, as probabilities. In the result, `congestion` is the
 * mean of the hours' values, and `delay_rate` is the average minus `congestion`. Callers add the log-odds of the day to
 * the result. This sum is slightly inexact; docs/features.md has the error.
 */
export function expectedOdds(
  cases: { share: number; odds: EffectOdds }[],
  store: Pick<ScoreStore, 'network'>,
): EffectOdds {
  const level = expectedLogOdds(store);
  let [probability, congestion] = [0, 0];
  for (const { share, odds } of cases) {
    probability += share * expit(level + odds.delay_rate + odds.congestion);
    congestion += share * odds.congestion;
  }
  return { delay_rate: logit(probability) - level - congestion, congestion };
}

function oddsOf(rows: Float32Array, from: number): EffectOdds {
  return { delay_rate: sumAt(rows, from, DELAY_RATE), congestion: sumAt(rows, from, CONGESTION) };
}

/** Returns the sum of the effects at these indexes; NaN, as for an unknown hour, counts as 0. */
function sumAt(rows: Float32Array, from: number, places: number[]): number {
  let sum = 0;
  for (const at of places) sum += rows[from + at] || 0;
  return sum;
}
