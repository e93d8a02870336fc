import { namedAccuracyOf } from '../../presenters/record-accuracy.ts';
import { findModelBody } from '../../routes/model.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import type { ModelData } from '../views/model/model-data.ts';

/** Data of the page about the accuracy of the scores. */
export const modelEndpoint: Endpoint<ModelData> = {
  path: '/explorer/model',
  restsOn: 'store',
  answer: (_query, deps): ModelData => {
    const store = currentStore(deps.stores);
    return (
      findModelBody(store, deps) ?? { version: null, providers: store.parts.map(namedAccuracyOf) }
    );
  },
};
