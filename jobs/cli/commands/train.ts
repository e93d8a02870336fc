import path from 'node:path';
import type { TrainReport } from '../../../pipelines/model/training.ts';
import { dataPaths } from '../../../warehouse/paths.ts';
import type { CommandContext } from '../context.ts';
import { requestStep } from '../../queue/requests.ts';
import type { JobSession } from '../session.ts';
import { withJobs } from '../session.ts';

/** Trains a model and prints why it was released or not; 1 when it was not. */
export async function train(context: CommandContext): Promise<number> {
  const { why, version } = await withJobs(context, 'train', trainModel);
  if (version === undefined) {
    context.err.write(`${why}\n`);
    return 1;
  }
  const { modelsDir } = dataPaths(context.config.dataDir);
  context.out.write(`${why}\nModel ${version} in ${path.join(modelsDir, version)}\n`);
  context.out.write('Next: make publish\n');
  return 0;
}

async function trainModel({ queues, follow }: JobSession): Promise<TrainReport> {
  return follow(await requestStep(queues, 'train'), 'train');
}
