import type { StoreModels } from '../../../api/scoring/store-models.ts';
import { openModel, type Model } from '../../../models/onnx/model.ts';
import { CURRENT_CONTRACT, someModel } from '../../models/helpers/model.ts';

/** Creates a real model that predicts the same probability for every flight, and counts its calls. */
export function aModel(probability = 0.4) {
  const model = openModel(someModel({ probability }), CURRENT_CONTRACT);
  const calls = { count: 0 };
  const countingModel: Model = {
    ...model,
    predict: (row) => {
      calls.count += 1;
      return model.predict(row);
    },
  };
  return { model: countingModel, calls };
}

/** Returns store models that use this model for every store. */
export function modelsWith(
  model: Model | undefined,
): Omit<StoreModels, 'prepare' | 'currentImported' | 'close'> {
  return {
    modelFor: () => model,
    versionFor: (store) => store.manifest.model?.version,
    importedFor: () => undefined,
    complete: (work) => work(),
  };
}
