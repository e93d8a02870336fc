import { sum } from '../../warehouse/ground/sum.ts';
import { assembleRows } from '../../models/assemble.ts';
import { hourSharesOf } from '../../models/hour-shares.ts';
import { FEATURES } from '../../models/features.ts';
import type { Model } from '../../models/onnx/model.ts';
import { assessFlight } from '../../models/score.ts';
import type { Assessment, DataTier, FlightQuery } from '../../models/types.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { storeForDays } from './unknown-days.ts';

/** A group of similar flights with the scores the service would have given, and their outcomes. */
export type ScoredOutcome = {
  outcome: Outcome;
  tier: DataTier;
  /** 0 to 100, before rounding. */
  linear: number;
  blend: number;
  /** The model's P(delayed); undefined where it has no forecast. */
  ml?: number;
  /** The shrunk delay rate of the airline on the route; every forecast has to beat this rate. */
  rate: number;
  /** 0 to 1. */
  confidence: number;
  /** Statistical log-odds of being delayed or cancelled. */
  logOdds: number;
};

/**
 * Scores every group as the API does, either with its hour or as a request without an hour. Flights without an exact
 * day are scored without calendar effects.
 */
export function scoreOutcomes(
  outcomes: Outcome[],
  store: ScoreStore,
  model: Model,
  withHour: boolean,
): ScoredOutcome[] {
  const scored = new Map<Outcome, ScoredOutcome>();
  for (const [datedBy, group] of Map.groupBy(outcomes, ({ dated_by }) => dated_by)) {
    const scoredGroup = scoreDated(group, storeForDays(store, datedBy), model, withHour);
    for (const one of scoredGroup) scored.set(one.outcome, one);
  }
  return outcomes.flatMap((outcome) => scored.get(outcome) ?? []);
}

function scoreDated(
  outcomes: Outcome[],
  store: ScoreStore,
  model: Model,
  withHour: boolean,
): ScoredOutcome[] {
  const knownOutcomes = outcomes.filter(
    ({ origin, dest }) => store.airport(origin) && store.airport(dest),
  );
  const { queries, slotOf } = deduplicate(
    knownOutcomes.map((outcome) => queryOf(outcome, withHour)),
  );
  const probabilities = probabilitiesOf(queries, store, model);
  const values = queries.map((query, slot) => {
    const mlProbability = probabilities[slot] as number;
    return scoreValuesOf(assessFlight(query, store, { mlProbability }));
  });
  return knownOutcomes.map((outcome, at) => ({
    outcome,
    ...(values[slotOf[at] as number] as ScoreValues),
  }));
}

type ScoreValues = Omit<ScoredOutcome, 'outcome'>;

function scoreValuesOf(assessment: Assessment): ScoreValues {
  const { tier, exactScore, exactLinear, mlProbability, stats, confidence, logOdds } = assessment;
  return {
    tier,
    linear: exactLinear,
    blend: exactScore,
    ...(mlProbability !== undefined && { ml: mlProbability }),
    rate: stats.delayedRate,
    confidence,
    logOdds,
  };
}

/** Returns the request for a flight of the group, with its hour or without. */
export function queryOf(
  { origin, dest, carrier, flight_date, local_hour }: Outcome,
  withHour: boolean,
): FlightQuery {
  const query = { origin, dest, carrier, flightDate: flight_date };
  return withHour && local_hour !== null ? { ...query, crsDepHour: local_hour } : query;
}

/** Removes duplicate queries; for each original query, `slotOf` has the index in `queries`. */
function deduplicate(allQueries: FlightQuery[]): { queries: FlightQuery[]; slotOf: number[] } {
  const slots = new Map<string, number>();
  const queries: FlightQuery[] = [];
  const slotOf = allQueries.map((query) => {
    const key = Object.values(query).join(' ');
    const slot = slots.get(key) ?? slots.size;
    if (slot === queries.length) {
      slots.set(key, slot);
      queries.push(query);
    }
    return slot;
  });
  return { queries, slotOf };
}

/** The model's expected probability for each query, over its possible hours. */
function probabilitiesOf(queries: FlightQuery[], store: ScoreStore, model: Model): Float64Array {
  const hourShares = queries.map((query) => hourSharesOf(query, store));
  const count = sum(hourShares.map(({ depHours }) => depHours.length));
  const rows = new Float32Array(count * FEATURES.length);
  let offset = 0;
  for (const [slot, query] of queries.entries()) {
    const own = assembleRows(query, hourShares[slot]?.depHours ?? [], store, {});
    rows.set(own, offset);
    offset += own.length;
  }
  const probabilities = model.predict(rows);
  let row = 0;
  return Float64Array.from(hourShares, ({ shares }) => {
    let expected = 0;
    for (const share of shares) expected += share * (probabilities[row++] as number);
    return Math.min(1, expected);
  });
}
