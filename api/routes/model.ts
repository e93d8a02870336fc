import { Router } from '@koa/router';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiState } from '../context.ts';
import { currentStore } from '../scoring/current-store.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { modelBodyOf } from '../presenters/model-body.ts';
import type { ModelBody } from '../schemas/model.ts';
import { noParams, readCallParams } from '../schemas/params.ts';

type ModelQuery = { store: ScoreStore; body: ModelBody };

/** `GET /api/model`: facts about the current model; not counted. */
export function modelRoutes(deps: ApiDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<ModelQuery>(
    {
      isCompressible: true,
      parse: (ctx) => {
        readCallParams(ctx, noParams);
        return modelAnswer(deps);
      },
      cost: () => 0,
      storeOf: ({ store }) => store,
      answer: ({ body }) => body,
    },
    deps,
  );
  return new Router<ApiState>().get('/api/model', endpoint);
}

/** Returns the facts about the current store's model. Throws a 404 if the store has no model. */
function modelAnswer(deps: Pick<ApiDeps, 'stores' | 'models'>): ModelQuery {
  const store = currentStore(deps.stores);
  const body = findModelBody(store, deps);
  if (!body) {
    throw new RequestError(
      404,
      'not_found',
      'No model is published. Scores use statistics only. GET /api/coverage has the accuracy of scores for each provider of flight records.',
    );
  }
  return { store, body };
}

/** Returns the facts about a store's model; undefined if the store has no model. */
export function findModelBody(
  store: ScoreStore,
  { models }: Pick<ApiDeps, 'models'>,
): ModelBody | undefined {
  const model = models.modelFor(store);
  const version = models.versionFor(store);
  if (!model || version === undefined) return undefined;
  return modelBodyOf(model.metadata, version, store, models.importedFor(store));
}
