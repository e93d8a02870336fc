import type { ExecutionContext } from 'ava';
import type { StoreModels } from '../../../api/scoring/store-models.ts';
import { openModel, type Model } from '../../../models/onnx/session.ts';
import { OURS, someModel } from '../../models/helpers/model.ts';

/** A real model that gives every flight that probability, and how often it was asked. */
export async function aModel(t: ExecutionContext, probability = 0.4) {
  const model = await openModel(someModel({ probability }), OURS);
  t.teardown(() => model.close());
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
