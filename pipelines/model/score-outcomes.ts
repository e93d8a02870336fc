import { sum } from '../../warehouse/ground/sum.ts';
import { assembleRows } from '../../models/assemble.ts';
import { hoursMeant } from '../../models/hours-meant.ts';
import { FEATURES } from '../../models/features.ts';
import type { Model } from '../../models/onnx/model.ts';
import { assessFlight } from '../../models/score.ts';
import type { Assessment, DataTier, FlightQuery } from '../../models/types.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { storeForDays } from './unknown-days.ts';

/** A group of like flights as the service would have scored them, and what became of them. */
export type Scored = {
  outcome: Outcome;
  tier: DataTier;
  /** 0 to 100, before rounding. */
  linear: number;
  blend: number;
  /** P(delayed) of the model; undefined where it has no say. */
  ml?: number;
  /** The shrunk delayed rate of the airline on the route, and nothing else: what any forecast has to beat. */
  rate: number;
  /** 0 to 1. */
  confidence: number;
  /** Of being delayed or cancelled, by the statistics. */
  logOdds: number;
};

/**
 * Scores every group the way the API does; with its hour, or as a question that names none. Of flights whose day is
 * not known the calendar says nothing either.
 */
export function scoreOutcomes(
  outcomes: Outcome[],
  store: ScoreStore,
  model: Model,
  withHour: boolean,
): Scored[] {
  const scored = new Map<Outcome, Scored>();
  for (const [datedBy, some] of Map.groupBy(outcomes, ({ dated_by }) => dated_by)) {
    const answers = scoreDated(some, storeForDays(store, datedBy), model, withHour);
    for (const one of answers) scored.set(one.outcome, one);
  }
  return outcomes.flatMap((outcome) => scored.get(outcome) ?? []);
}

function scoreDated(
  outcomes: Outcome[],
  store: ScoreStore,
  model: Model,
  withHour: boolean,
): Scored[] {
  const known = outcomes.filter(({ origin, dest }) => store.airport(origin) && store.airport(dest));
  const { queries, slotOf } = distinct(known.map((outcome) => queryOf(outcome, withHour)));
  const probabilities = probabilitiesOf(queries, store, model);
  const answers = queries.map((query, slot) => {
    const mlProbability = probabilities[slot] as number;
    return saidOf(assessFlight(query, store, { mlProbability }));
  });
  return known.map((outcome, at) => ({ outcome, ...(answers[slotOf[at] as number] as Said) }));
}

type Said = Omit<Scored, 'outcome'>;

function saidOf(assessment: Assessment): Said {
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

function queryOf(
  { origin, dest, carrier, flight_date, local_hour }: Outcome,
  withHour: boolean,
): FlightQuery {
  const query = { origin, dest, carrier, flightDate: flight_date };
  return withHour && local_hour !== null ? { ...query, crsDepHour: local_hour } : query;
}

/** The questions, each once, and which of them each of the given ones is. */
function distinct(asked: FlightQuery[]): { queries: FlightQuery[]; slotOf: number[] } {
  const slots = new Map<string, number>();
  const queries: FlightQuery[] = [];
  const slotOf = asked.map((query) => {
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

/** The model's expectation for each query. */
function probabilitiesOf(queries: FlightQuery[], store: ScoreStore, model: Model): Float64Array {
  const meant = queries.map((query) => hoursMeant(query, store));
  const count = sum(meant.map(({ depHours }) => depHours.length));
  const rows = new Float32Array(count * FEATURES.length);
  let filled = 0;
  for (const [slot, query] of queries.entries()) {
    const own = assembleRows(query, meant[slot]?.depHours ?? [], store, {});
    rows.set(own, filled);
    filled += own.length;
  }
  const answers = model.predict(rows);
  let read = 0;
  return Float64Array.from(meant, ({ shares }) => {
    let expected = 0;
    for (const share of shares) expected += share * (answers[read++] as number);
    return Math.min(1, expected);
  });
}
