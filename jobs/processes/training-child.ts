/** `node training-child.ts REQUEST`: the process a model is trained in, started by `trainInChild`. */
import { constants, setPriority } from 'node:os';
import { firstDay } from '../../warehouse/ground/dates.ts';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { openModel } from '../../models/onnx/model.ts';
import { openXgboost } from '../../models/train/xgboost.ts';
import { findReleased } from '../../pipelines/model/released.ts';
import { retrain, type Retrained } from '../../pipelines/model/retrain.ts';
import { trainModel } from '../../pipelines/model/train-model.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { knowledgeAsOf, outcomesOf } from '../../warehouse/build/as-of.ts';
import { isFinal } from '../../warehouse/errors.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { TrainingMessage, TrainingRequest } from './train-in-child.ts';

const parent = process.ppid;
// The parent hangs up once it has the outcome; a parent that was killed hangs up too.
process.on('disconnect', () => process.exit());
// Answering callers comes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

try {
  const [request = ''] = process.argv.slice(2);
  send({ retrained: await retrained(JSON.parse(request) as TrainingRequest) });
} catch (error) {
  const problem = error instanceof Error ? error.message : String(error);
  send({ problem, isFinal: isFinal(error) });
}

async function retrained(request: TrainingRequest): Promise<Retrained> {
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

function progress(...told: Parameters<Progress>): void {
  // While trees grow no event comes through, so that a parent that is gone is noticed here.
  if (process.ppid !== parent) process.exit(1);
  send({ progress: told });
}

function send(message: TrainingMessage): void {
  process.send?.(message);
}
