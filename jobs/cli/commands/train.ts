import path from 'node:path';
import { findModel } from '../../../pipelines/model/released.ts';
import type { TrainReport, TrainRequest } from '../../../pipelines/model/train-step.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { requestStep } from '../../queue/requests.ts';
import { lakeIfThere } from '../lake-at-hand.ts';
import { withJobs } from '../session.ts';

/** Trains a model and prints why it was released or not; 1 when it was not. */
export async function train(context: CommandContext, request: TrainRequest): Promise<number> {
  const { why, version } = await withJobs(context, 'train', async ({ queues, follow }) =>
    follow<TrainReport>(await requestStep(queues, 'train', request), 'train'),
  );
  if (version === undefined) {
    context.err.write(`${why}\n`);
    return 1;
  }
  await lakeIfThere(context);
  const { modelsDir } = dataPaths(context.config.dataDir);
  const { model: next } = await findModel(modelsDir);
  const served =
    next?.version === version
      ? 'Next: make publish'
      : `Pinned is ${next?.version}; next: make model-unpin publish`;
  context.out.write(`${why}\nModel ${version} in ${path.join(modelsDir, version)}\n${served}\n`);
  return 0;
}
