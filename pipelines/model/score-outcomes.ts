import { sum } from '../../warehouse/ground/numbers.ts';
import { expit } from '../../warehouse/ground/log-odds.ts';
import { assembleRows } from '../../models/assemble.ts';
import { cancelLogOdds } from '../../models/average-flight.ts';
import { operatedFlights } from '../../models/brands.ts';
import type { DelayCurve } from '../../models/delay-curve.ts';
import { flightCurve, type ScoredFlight } from '../../models/flight-curve.ts';
import type { OutlookShares } from '../../models/onnx/metadata.ts';
import { outcomeOddsOf } from '../../models/outcome-odds.ts';
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
  /** The model's P(delayed); undefined if the model has no forecast. */
  ml?: number;
  /** The shrunk delay rate of the airline-route. Every other forecast has to be better than this rate. */
  rate: number;
  /** 0 to 1. */
  confidence: number;
  /** Log-odds of being delayed or cancelled by the statistics, without the model. */
  logOdds: number;
  /** P(delayed) by the statistics, without the model. */
  late: number;
  /** Distribution of delays; undefined if the model has no forecast. */
  curve?: DelayCurve;
  /**
   * A simple distribution, for comparison with `curve`. P(more than 30 minutes late) is the same as in `curve`. The
   * probabilities of the other delays are derived from this probability, in the same way for all flights.
   */
  plainCurve?: DelayCurve;
};

/** Returns the request for the flight of an outcome. */
export type QueryOf = (outcome: Outcome, withHour: boolean) => FlightQuery;

/**
 * Scores every group as the API does, either with its hour or as a request without an hour. Flights without an exact
 * day are scored without calendar effects. By default, the requests name the operator. Without a model, only the
 * statistics are used.
 */
export function scoreOutcomes(
  outcomes: Outcome[],
  store: ScoreStore,
  model: Model | undefined,
  withHour: boolean,
  requestOf: QueryOf = queryOf,
): ScoredOutcome[] {
  const scored = new Map<Outcome, ScoredOutcome>();
  for (const [datedBy, group] of Map.groupBy(outcomes, ({ dated_by }) => dated_by)) {
    const scoredGroup = scoreDated(group, storeForDays(store, datedBy), model, (outcome) =>
      requestOf(outcome, withHour),
    );
    for (const one of scoredGroup) scored.set(one.outcome, one);
  }
  return outcomes.flatMap((outcome) => scored.get(outcome) ?? []);
}

function scoreDated(
  outcomes: Outcome[],
  store: ScoreStore,
  model: Model | undefined,
  requestOf: (outcome: Outcome) => FlightQuery,
): ScoredOutcome[] {
  const knownOutcomes = outcomes.filter(
    ({ origin, dest }) => store.airport(origin) && store.airport(dest),
  );
  const { queries, slotOf } = deduplicate(knownOutcomes.map(requestOf));
  const assign = (values: ScoreValues[]) =>
    knownOutcomes.map((outcome, at) => ({
      outcome,
      ...(values[slotOf[at] as number] as ScoreValues),
    }));
  if (!model) {
    const values = queries.map((query) => scoreValuesOf(assessFlight(query, store, {})));
    return assign(values);
  }
  const probabilities = probabilitiesOf(queries, store, model);
  const values = queries.map((query, slot) => {
    const mlProbability = probabilities[slot] as number;
    const assessment = assessFlight(query, store, { mlProbability });
    return { ...scoreValuesOf(assessment), ...curvesOf({ query, assessment, store }, model) };
  });
  return assign(values);
}

type ScoreValues = Omit<ScoredOutcome, 'outcome'>;

function curvesOf(
  flight: ScoredFlight,
  { metadata }: Model,
): Pick<ScoredOutcome, 'curve' | 'plainCurve'> {
  const curve = flightCurve(flight);
  if (!curve) return {};
  const { assessment, store } = flight;
  return { curve, plainCurve: plainCurve(curve, assessment, { store, shares: metadata.outlook }) };
}

/**
 * Returns the simple distribution for comparison. Divides the late flights into classes of delay in the proportions of
 * all training flights. `cancelled` is the probability of cancellation that the statistics give for this flight.
 */
function plainCurve(
  { late, diverted }: DelayCurve,
  { cancelledProbability }: Assessment,
  { store, shares }: { store: ScoreStore; shares: OutlookShares },
): DelayCurve {
  const over30 = late[1] as number;
  const over60 = over30 * (shares.late.from60to120 + shares.late.over120);
  const over120 = over30 * shares.late.over120;
  const { late180, late360, between } = outcomeOddsOf(NO_FLIGHT, store);
  const over180 = over120 * expit(late180.logOdds);
  return {
    late: [
      over30 + (1 - over30) * shares.notLate.from15to30,
      over30,
      over30 ** (1 - between[45]) * over60 ** between[45],
      over60,
      over60 ** (1 - between[90]) * over120 ** between[90],
      over120,
      over180,
      over180 * expit(late360.logOdds),
    ],
    diverted,
    cancelled: cancelledProbability,
  };
}

/** A flight that belongs to no group, so that it has the odds of all flights. */
const NO_FLIGHT: FlightQuery = { origin: '', dest: '', carrier: '', flightDate: '2025-04-01' };

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
    late: expit(logOdds - cancelLogOdds(stats.delayedRate, stats.cancelledRate)),
  };
}

/** Returns the request for the flight of an outcome. `withHour` adds the local hour. */
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

/**
 * Returns the model's expected probability for each query. Without an hour, it is the mean over the possible hours. For
 * a brand, it is the mean over its operators.
 */
export function probabilitiesOf(
  queries: FlightQuery[],
  store: ScoreStore,
  model: Model,
): Float64Array {
  const cases = queries.flatMap((query, slot) =>
    operatedFlights(query, store).map((one) => ({
      ...one,
      slot,
      ...hourSharesOf(one.query, store),
    })),
  );
  const count = sum(cases.map(({ depHours }) => depHours.length));
  const rows = new Float32Array(count * FEATURES.length);
  let offset = 0;
  for (const { query, depHours } of cases) {
    const own = assembleRows(query, depHours, store, {});
    rows.set(own, offset);
    offset += own.length;
  }
  const probabilities = model.predict(rows);
  const expected = new Float64Array(queries.length);
  let row = 0;
  for (const { slot, share, shares } of cases) {
    for (const one of shares) {
      expected[slot] = (expected[slot] as number) + share * one * (probabilities[row++] as number);
    }
  }
  return expected.map((probability) => Math.min(1, probability));
}
