import type { StoreModels } from '../../../api/scoring/store-models.ts';
import { openModel, type Model } from '../../../models/onnx/model.ts';
import { OURS, someModel } from '../../models/helpers/model.ts';

/** A real model that gives every flight that probability, and how often it was asked. */
export function aModel(probability = 0.4) {
  const model = openModel(someModel({ probability }), OURS);
  const asked = { times: 0 };
  const counted: Model = {
    ...model,
    predict: (row) => {
      asked.times += 1;
      return model.predict(row);
    },
  };
  return { model: counted, asked };
}

/** A shelf that has the model for every store. */
export function shelfWith(model: Model): Pick<StoreModels, 'of'> {
  return { of: () => model };
}
