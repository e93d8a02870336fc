import type { ModelBody } from '../../../schemas/model.ts';

/**
 * Data of the page `/model`: the answer of `/api/model`. If there is no model, the data contain only the accuracy of
 * the records of other providers.
 */
export type ModelData = ModelBody | (Pick<ModelBody, 'providers'> & { version: null });
