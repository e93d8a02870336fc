import { modelAnswer } from '../../routes/model.ts';
import type { Endpoint } from '../endpoint.ts';
import type { ModelBody } from '../../schemas/model.ts';

/** Data of the page about the model. */
export const modelEndpoint: Endpoint = {
  path: '/explorer/model',
  restsOn: 'store',
  answer: (_query, deps): ModelBody => modelAnswer(deps).body,
};
