import { firstDay } from '../../warehouse/ground/dates.ts';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { openModel } from '../../models/onnx/session.ts';
import { openXgboost } from '../../models/train/xgboost.ts';
import { findReleased } from '../../pipelines/model/released.ts';
import { retrain, type Retrained } from '../../pipelines/model/retrain.ts';
import { trainModel } from '../../pipelines/model/train-model.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { knowledgeAsOf, outcomesOf } from '../../warehouse/build/as-of.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { TrainingRequest } from './train-in-child.ts';

/** Rehearses and trains on the months of a lake in this process, which it holds up while trees grow. */
export async function retrainHere(
  request: TrainingRequest,
  progress: Progress,
): Promise<Retrained> {
  const { months, lakeDir, modelsDir, seed, codeVersion, library } = request;
  const { acceptsRegional = false } = request;
  const xgboost = openXgboost(library);
  return retrain(
    { months, until: firstDay(months.at(-1) ?? '', 1), acceptsRegional },
    {
      knowledgeAsOf: (day) => knowledgeAsOf([lakeDir], day),
      outcomesOf: (month) => outcomesOf(lakeDir, `${month}-01`, firstDay(month, 1)),
      openStore,
      train: ({ training }, metrics, progress) =>
        trainModel(training, { seed, codeVersion, metrics }, xgboost, progress),
      openModel: (bytes) => openModel(bytes, MODEL_CONTRACT),
      released: async () => (await findReleased(modelsDir)).model,
    },
    progress,
  );
}
