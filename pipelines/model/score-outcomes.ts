import { assembleFeatures } from '../../models/assemble.ts';
import { casesOf } from '../../models/expectation.ts';
import { FEATURES } from '../../models/features.ts';
import type { Model } from '../../models/onnx/session.ts';
import { assessFlight } from '../../models/score.ts';
import type { DataTier, FlightQuery } from '../../models/types.ts';
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
};

/**
 * Scores every group the way the API does; with its hour, or as a question that names none. Of flights whose day is
 * not known the calendar says nothing either.
 */
export async function scoreOutcomes(
  outcomes: Outcome[],
  store: ScoreStore,
  model: Model,
  withHour: boolean,
): Promise<Scored[]> {
  const scored = new Map<Outcome, Scored>();
  for (const [datedBy, some] of Map.groupBy(outcomes, ({ dated_by }) => dated_by)) {
    const answers = await scoreDated(some, storeForDays(store, datedBy), model, withHour);
    for (const one of answers) scored.set(one.outcome, one);
  }
  return outcomes.flatMap((outcome) => scored.get(outcome) ?? []);
}

async function scoreDated(
  outcomes: Outcome[],
  store: ScoreStore,
  model: Model,
  withHour: boolean,
): Promise<Scored[]> {
  const known = outcomes.filter(({ origin, dest }) => store.airport(origin) && store.airport(dest));
  const queries = known.map((outcome) => queryOf(outcome, withHour));
  const probabilities = await probabilitiesOf(queries, store, model);
  return known.map((outcome, at) => {
    const { tier, exactScore, exactLinear, mlProbability, stats } = assessFlight(
      queries[at] as FlightQuery,
      store,
      { mlProbability: probabilities[at] as number },
    );
    return {
      outcome,
      tier,
      linear: exactLinear,
      blend: exactScore,
      ...(mlProbability !== undefined && { ml: mlProbability }),
      rate: stats.delayedRate,
    };
  });
}

function queryOf(
  { origin, dest, carrier, flight_date, local_hour }: Outcome,
  withHour: boolean,
): FlightQuery {
  const query = { origin, dest, carrier, flightDate: flight_date };
  return withHour && local_hour !== null ? { ...query, depHour: local_hour } : query;
}

/** The model's expectation for each query; the same question is asked once. */
async function probabilitiesOf(
  queries: FlightQuery[],
  store: ScoreStore,
  model: Model,
): Promise<Float64Array> {
  const slots = new Map<string, number>();
  const slotOf = queries.map((query) => {
    const key = Object.values(query).join(' ');
    const slot = slots.get(key) ?? slots.size;
    slots.set(key, slot);
    return slot;
  });
  const asked = new Map(queries.map((query, at) => [slotOf[at] as number, query]));
  const cases = [...asked].flatMap(([slot, query]) =>
    casesOf(query, store).map((one) => ({ slot, ...one })),
  );
  const rows = new Float32Array(cases.length * FEATURES.length);
  for (const [at, { query }] of cases.entries()) {
    rows.set(assembleFeatures(query, store, {}), at * FEATURES.length);
  }
  const answers = await model.predictMany(rows);
  const expected = new Float64Array(slots.size);
  for (const [at, { slot, share }] of cases.entries()) {
    expected[slot] = (expected[slot] as number) + share * (answers[at] as number);
  }
  return Float64Array.from(slotOf, (slot) => Math.min(1, expected[slot] as number));
}
