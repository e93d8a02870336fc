import type { Logger } from 'pino';
import { hoursMeant } from '../../models/expectation.ts';
import type { Model } from '../../models/onnx/model.ts';
import { assessFlight, dataTier } from '../../models/score.ts';
import type {
  Assessment,
  DayWeather,
  EndsWeather,
  FlightQuery,
  LiveInputs,
} from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { createMemo, type Memo } from './memo.ts';
import type { StoreModels } from './store-models.ts';
import { describeError } from '../redact.ts';

/** Scores one flight with everything there is. */
export type Assess = (query: FlightQuery, store: ScoreStore, live: LiveInputs) => Assessment;

export type AssessDeps = {
  models: Pick<StoreModels, 'of'>;
  /** Weather is all it is given of the live inputs: what the model answers is remembered while that is the same. */
  assemble: (
    query: FlightQuery,
    depHours: readonly number[],
    store: ScoreStore,
    weather: EndsWeather,
  ) => Float32Array;
  log: Logger;
};

/** What a flight is assessed with: the model's part, and what is known right now of weather and events. */
export type AssessNowDeps = {
  assess: Assess;
  /** Read from memory. */
  liveInputs: (query: FlightQuery, store: ScoreStore) => LiveInputs;
};

/** Probabilities remembered for each store version; about 4 MB. */
const REMEMBERED = 20_000;

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
      const answers = model.predict(assemble(query, depHours, store, weather));
      const probability = shares.reduce(
        (sum, share, at) => sum + share * (answers[at] as number),
        0,
      );
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
  // The same flight under the same weather has the same probability as long as its store serves.
  const memos = new WeakMap<ScoreStore, Memo<number | undefined>>();
  const memoOf = (store: ScoreStore) => {
    const memo = memos.get(store) ?? createMemo<number | undefined>(REMEMBERED);
    memos.set(store, memo);
    return memo;
  };
  return (query, store, live) => {
    const model = models.of(store);
    if (!model || dataTier(query, store) === 'no_data') return assessFlight(query, store, live);
    const mlProbability = memoOf(store)(keyOf(query, live), () =>
      probabilityOf(model, query, store, weatherIn(live)),
    );
    return assessFlight(query, store, {
      ...live,
      ...(mlProbability !== undefined && { mlProbability }),
    });
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

/** Shares add up to 1 but for rounding. */
const ALMOST_ONE = 1 + 1e-9;

function weatherIn({ weatherDep, weatherArr }: LiveInputs): EndsWeather {
  return { ...(weatherDep && { weatherDep }), ...(weatherArr && { weatherArr }) };
}

function keyOf(query: FlightQuery, { weatherDep, weatherArr }: EndsWeather): string {
  const { origin, dest, carrier, flightDate, crsDepHour } = query;
  const flight = `${origin}${dest}${carrier}${flightDate}T${crsDepHour ?? ''}`;
  return `${flight} ${versionOf(weatherDep)} ${versionOf(weatherArr)}`;
}

/** Tells the weather of an airport's day from any other there has been of it; its figures take longer to write down. */
function versionOf(weather: DayWeather | undefined): string {
  // What is not a forecast is of the store, and changes with it.
  return weather?.fetchedAt ?? weather?.basis ?? '';
}
