/** `node training-child.ts REQUEST`: the process in which `trainInChild` trains a model. */
import { constants, setPriority } from 'node:os';
import { firstDay } from '../../warehouse/ground/dates.ts';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { openModel } from '../../models/onnx/model.ts';
import { openXgboost } from '../../models/train/xgboost.ts';
import { findReleased } from '../../pipelines/model/released-model.ts';
import { retrain, type Retrained } from '../../pipelines/model/retrain.ts';
import { trainModel } from '../../pipelines/model/train-model.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { knowledgeAsOf, readOutcomes } from '../../warehouse/build/as-of.ts';
import { isFinal } from '../../warehouse/errors.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { TrainingMessage, TrainingRequest } from './train-in-child.ts';

const parent = process.ppid;
// The parent disconnects once it has the result, and also when it is killed.
process.on('disconnect', () => process.exit());
// The API must not slow down during a training.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

try {
  const [request = ''] = process.argv.slice(2);
  send({ retrained: await runTraining(JSON.parse(request) as TrainingRequest) });
} catch (error) {
  const problem = error instanceof Error ? error.message : String(error);
  send({ problem, isFinal: isFinal(error) });
}

async function runTraining(request: TrainingRequest): Promise<Retrained> {
  const { months, lakeDir, modelsDir, seed, codeVersion, library } = request;
  const { acceptsRegional = false } = request;
  const xgboost = openXgboost(library);
  return retrain(
    { months, until: firstDay(months.at(-1) ?? '', 1), acceptsRegional },
    {
      knowledgeAsOf: (day) => knowledgeAsOf([lakeDir], day),
      outcomesOf: (month) => readOutcomes(lakeDir, `${month}-01`, firstDay(month, 1)),
      openStore,
      train: ({ training }, metrics, progress) =>
        trainModel(training, { seed, codeVersion, metrics }, xgboost, progress),
      openModel: (bytes) => openModel(bytes, MODEL_CONTRACT),
      released: async () => (await findReleased(modelsDir)).model,
    },
    progress,
  );
}

function progress(...args: Parameters<Progress>): void {
  // While trees grow, no event is delivered. This code therefore checks whether the parent still runs.
  if (process.ppid !== parent) process.exit(1);
  send({ progress: args });
}

function send(message: TrainingMessage): void {
  process.send?.(message);
}
