import path from 'node:path';
import { findModel } from '../../../pipelines/model/released-model.ts';
import type { TrainReport, TrainRequest } from '../../../pipelines/model/train-step.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { requestStep } from '../../queue/requests.ts';
import { refreshLakeIfAvailable } from '../lake-refresh.ts';
import { withJobs } from '../session.ts';

/** Trains a model and prints why it was released or not. Returns 1 if it was not released. */
export async function train(context: CommandContext, request: TrainRequest): Promise<number> {
  const { why, version } = await withJobs(context, 'train', async ({ queues, follow }) =>
    follow<TrainReport>(await requestStep(queues, 'train', request), 'train'),
  );
  if (version === undefined) {
    context.err.write(`${why}\n`);
    return 1;
  }
  await refreshLakeIfAvailable(context);
  const { modelsDir } = dataPaths(context.config.dataDir);
  const { model: next } = await findModel(modelsDir);
  const step =
    next?.version === version
      ? 'Next: make publish'
      : `Model ${next?.version} is pinned. To serve the new model: make model-unpin publish`;
  context.out.write(`${why}\nModel ${version} is in ${path.join(modelsDir, version)}\n${step}\n`);
  return 0;
}
