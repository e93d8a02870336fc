import type { Logger } from 'pino';
import { FEATURES } from '../../models/features.ts';
import { hoursMeant } from '../../models/hours-meant.ts';
import type { Model } from '../../models/onnx/model.ts';
import { assessFlight, dataTier } from '../../models/score.ts';
import type { Assessment, EndsWeather, FlightQuery, LiveInputs } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { StoreModels } from './store-models.ts';
import { describeError } from '../redact.ts';

/** Scores one flight with everything there is. */
export type Assess = (query: FlightQuery, store: ScoreStore, live: LiveInputs) => Assessment;

export type AssessDeps = {
  models: Pick<StoreModels, 'of'>;
  /** Weather is all it is given of the live inputs: the model learned what is known days ahead. */
  assemble: (
    query: FlightQuery,
    depHours: readonly number[],
    store: ScoreStore,
    weather: EndsWeather,
    into: Float32Array,
  ) => Float32Array;
  log: Logger;
};

/** What a flight is assessed with: the model's part, and what is known right now of weather and events. */
export type AssessNowDeps = {
  assess: Assess;
  /** Read from memory. */
  liveInputs: (query: FlightQuery, store: ScoreStore) => LiveInputs;
};

/**
 * Scoring with the model of the store, if it has one and history covers the flight. A flight without an hour gets the
 * expectation over the hours its airline leaves in.
 * A model that fails at it degrades the answer, never the request, and is logged once.
 */
export function createAssess({ models, assemble, log }: AssessDeps): Assess {
  const failed = new WeakSet<Model>();
  const probabilityOf = (
    model: Model,
    query: FlightQuery,
    store: ScoreStore,
    weather: EndsWeather,
  ): number | undefined => {
    try {
      const { depHours, shares } = hoursMeant(query, store);
      const room = roomFor(depHours.length);
      const answers = model.predict(assemble(query, depHours, store, weather, room));
      let probability = 0;
      for (let at = 0; at < answers.length; at++) {
        probability += (shares[at] as number) * (answers[at] as number);
      }
      if (probability >= 0 && probability <= ALMOST_ONE) return Math.min(1, probability);
      throw new RangeError(`${probability} is no probability`);
    } catch (error) {
      if (!failed.has(model)) {
        failed.add(model);
        const { version, model: entry } = store.manifest;
        log.error({ version, model: entry?.version, error: describeError(error) }, 'model failed');
      }
      return undefined;
    }
  };
  return (query, store, live) => {
    const model = models.of(store);
    if (!model || dataTier(query, store) === 'no_data') return assessFlight(query, store, live);
    const mlProbability = probabilityOf(model, query, store, weatherIn(live));
    return assessFlight(
      query,
      store,
      mlProbability === undefined ? live : { ...live, mlProbability },
    );
  };
}

/** The assessment of a flight with the live inputs of this moment. */
export function assessNow(
  query: FlightQuery,
  store: ScoreStore,
  { assess, liveInputs }: AssessNowDeps,
): Assessment {
  return assess(query, store, liveInputs(query, store));
}

/** By number of rows, used again: memory for an array of each flight is dear to get and to give back. */
const ROOMS = Array.from({ length: 25 }, (_, rows) => new Float32Array(rows * FEATURES.length));

function roomFor(rows: number): Float32Array {
  return ROOMS[rows] ?? new Float32Array(rows * FEATURES.length);
}

/** Shares add up to 1 but for rounding. */
const ALMOST_ONE = 1 + 1e-9;

function weatherIn({ weatherDep, weatherArr }: LiveInputs): EndsWeather {
  return { ...(weatherDep && { weatherDep }), ...(weatherArr && { weatherArr }) };
}
