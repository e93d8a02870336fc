import type { Logger } from 'pino';
import { assembleFeatures } from '../models/assemble.ts';
import type { Model } from '../models/onnx/session.ts';
import { assessFlight, dataTier } from '../models/score.ts';
import type { Assessment, FlightQuery, LiveInputs } from '../models/types.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import type { ModelShelf } from './model-shelf.ts';
import { describeError } from './redact.ts';

/** Scores one flight with everything there is; flights asked for together share one run of the model. */
export type Assess = (
  query: FlightQuery,
  store: ScoreStore,
  live: LiveInputs,
) => Assessment | Promise<Assessment>;

/**
 * Scoring with the model of the store, if it has one and history covers the flight.
 * A model that fails at it degrades the answer, never the request, and is logged once.
 */
export function createAssess({
  models,
  log,
}: {
  models: Pick<ModelShelf, 'of'>;
  log: Logger;
}): Assess {
  const failed = new WeakSet<Model>();
  const probabilityOf = async (
    model: Model,
    ...[query, store, live]: Parameters<Assess>
  ): Promise<number | undefined> => {
    try {
      const probability = await model.predict(assembleFeatures(query, store, live));
      if (probability >= 0 && probability <= 1) return probability;
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
    return probabilityOf(model, query, store, live).then((mlProbability) =>
      assessFlight(query, store, {
        ...live,
        ...(mlProbability !== undefined && { mlProbability }),
      }),
    );
  };
}
