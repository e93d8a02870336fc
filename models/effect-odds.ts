import type { EffectOdds, ScoreStore } from '../warehouse/store/types.ts';
import { assembleRows } from './assemble.ts';
import { hoursMeant } from './hours-meant.ts';
import { expectedLevel } from './expected-level.ts';
import { FEATURES } from './features.ts';
import { expit, logit } from '../warehouse/ground/log-odds.ts';
import { seasonOf } from './season.ts';
import type { ComponentKey, FlightQuery } from './types.ts';

/** Places in `FEATURES` of a component's effects. */
function placesOf(component: ComponentKey): number[] {
  return FEATURES.flatMap((feature, at) =>
    feature.component === component && feature.name.endsWith('_effect') ? [at] : [],
  );
}

const DELAY_RATE = placesOf('delay_rate');
const CONGESTION = placesOf('congestion');

/**
 * Log-odds of a delay to expect of a flight without effects on an average day, after this history: the level of now where
 * it is known, else that of the newest months, nearer to the long run.
 */
export function expectedLogOdds({ network }: Pick<ScoreStore, 'network'>): number {
  const { levelLogOdds, levelRate, isLevelNow } = network;
  return isLevelNow ? levelLogOdds : levelLogOdds + expectedLevel(levelRate) - logit(levelRate);
}

/**
 * What the effects of a flight add up to: as published, or worked out where the store does not hold it, as for an hour
 * the airline does not leave in or an airline new to the route.
 */
export function effectOdds(query: FlightQuery, store: ScoreStore): EffectOdds {
  return store.flightOdds(query, seasonOf(query.flightDate)) ?? workOutEffectOdds(query, store);
}

/** The same, worked out. */
export function workOutEffectOdds(query: FlightQuery, store: ScoreStore): EffectOdds {
  const { depHours, shares } = hoursMeant(query, store);
  const odds = hourlyOdds(query, depHours, store);
  const [only] = odds;
  if (odds.length === 1 && only) return only;
  return expectedOdds(
    odds.map((odds, at) => ({ share: shares[at] as number, odds })),
    store,
  );
}

/** What the effects of a flight add up to in each of those hours of departure, NaN for one that is unknown. */
export function hourlyOdds(
  query: FlightQuery,
  depHours: readonly number[],
  store: ScoreStore,
): EffectOdds[] {
  const rows = assembleRows(query, depHours, store, {}, DAY_ROWS);
  return depHours.map((_, row) => oddsOf(rows, row * WIDTH));
}

const WIDTH = FEATURES.length;

/** Room for the hours of a day, used again: a typed array is dear to make. */
const DAY_ROWS = new Float32Array(24 * WIDTH);

/**
 * The expectation in probability over the hours an airline leaves in: `congestion` has the mean of the hours' own,
 * `delay_rate` all else. Adding a day's log-odds to it is not quite the expectation with them inside; by how much is in
 * docs/features.md.
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

/** Of the row that begins there. */
function oddsOf(rows: Float32Array, from: number): EffectOdds {
  return { delay_rate: sumAt(rows, from, DELAY_RATE), congestion: sumAt(rows, from, CONGESTION) };
}

/** What is missing, because no hour is known, adds nothing. */
function sumAt(rows: Float32Array, from: number, places: number[]): number {
  let sum = 0;
  for (const at of places) sum += rows[from + at] || 0;
  return sum;
}
