import type { ModelBody } from '../../../schemas/model.ts';

/**
 * Data of the page `/model`: the answer of `/api/model`. Without a model, the data contain only the accuracy of other
 * providers' records.
 */
export type ModelData = ModelBody | (Pick<ModelBody, 'providers'> & { version: null });
