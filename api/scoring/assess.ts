import { withInboundDelay } from '../../models/inbound.ts';
import type { Logger } from 'pino';
import { operatedFlights } from '../../models/brands.ts';
import { FEATURES } from '../../models/features.ts';
import { hourSharesOf } from '../../models/hour-shares.ts';
import type { Model } from '../../models/onnx/model.ts';
import { dataTier } from '../../models/history.ts';
import { assessFlight } from '../../models/score.ts';
import type { Assessment, EndsWeather, FlightQuery, LiveInputs } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { StoreModels } from './store-models.ts';
import { describeError } from '../redact.ts';

/** Scores one flight with the model, statistics and live inputs. */
export type Assess = (query: FlightQuery, store: ScoreStore, live: LiveInputs) => Assessment;

export type AssessDeps = {
  models: Pick<StoreModels, 'modelFor'>;
  /**
   * Builds the input rows of the model. Weather is the only live input, because the model was trained on data that
   * exist days before departure.
   */
  assemble: (
    query: FlightQuery,
    depHours: readonly number[],
    store: ScoreStore,
    weather: EndsWeather,
    into: Float32Array,
  ) => Float32Array;
  log: Logger;
};

/** Functions that score a flight with current weather and events. */
export type AssessNowDeps = {
  assess: Assess;
  /** Reads the live inputs of a flight from memory. */
  liveInputs: (query: FlightQuery, store: ScoreStore) => LiveInputs;
};

/**
 * Creates the function that scores flights. The function uses the model of the store if the store has a model and a
 * record for the flight. Without a departure hour, the probability is the average over the airline's departure hours.
 * For a brand, the probability is the average over its operators. If the model fails, the score uses statistics only,
 * and the failure is logged once per model.
 */
export function createAssess({ models, assemble, log }: AssessDeps): Assess {
  const failedModels = new WeakSet<Model>();
  const predictProbability = (
    model: Model,
    query: FlightQuery,
    store: ScoreStore,
    weather: EndsWeather,
  ): number | undefined => {
    try {
      let probability = 0;
      for (const { query: one, share } of operatedFlights(query, store)) {
        const { depHours, shares } = hourSharesOf(one, store);
        const buffer = getBuffer(depHours.length);
        const predictions = model.predict(assemble(one, depHours, store, weather, buffer));
        for (let at = 0; at < predictions.length; at++) {
          probability += share * (shares[at] as number) * (predictions[at] as number);
        }
      }
      if (probability >= 0 && probability <= MAX_PROBABILITY) return Math.min(1, probability);
      throw new RangeError(`${probability} is not a probability`);
    } catch (error) {
      if (!failedModels.has(model)) {
        failedModels.add(model);
        const { version, model: entry } = store.manifest;
        log.error({ version, model: entry?.version, error: describeError(error) }, 'model failed');
      }
      return undefined;
    }
  };
  return (query, store, live) => {
    const model = models.modelFor(store);
    if (!model || dataTier(query, store) === 'no_data') return assessFlight(query, store, live);
    const mlProbability = predictProbability(model, query, store, weatherOf(live));
    return assessFlight(query, store, { ...live, mlProbability });
  };
}

/** Scores a flight with the current live inputs. */
export function assessNow(
  query: FlightQuery,
  store: ScoreStore,
  { assess, liveInputs }: AssessNowDeps,
): Assessment {
  return assess(query, store, liveInputs(query, store));
}

/** Adds the delay of the incoming aircraft to the live inputs. An unknown delay changes nothing. */
export function withAircraft(inboundMin: number | undefined, deps: AssessNowDeps): AssessNowDeps {
  const { assess, liveInputs } = deps;
  if (inboundMin === undefined) return deps;
  return {
    assess,
    liveInputs: (query, store) => {
      const live = liveInputs(query, store);
      return { ...live, danger: withInboundDelay(live.danger, inboundMin) };
    },
  };
}

/** Reusable buffers for rows of the model, by number of rows. Creating an array for each flight would be slow. */
const BUFFERS = Array.from({ length: 25 }, (_, rows) => new Float32Array(rows * FEATURES.length));

function getBuffer(rows: number): Float32Array {
  return BUFFERS[rows] ?? new Float32Array(rows * FEATURES.length);
}

/** A probability may exceed 1 by a rounding error, because it is a sum of weighted probabilities. */
const MAX_PROBABILITY = 1 + 1e-9;

function weatherOf({ weatherDep, weatherArr }: LiveInputs): EndsWeather {
  return { weatherDep, weatherArr };
}
