import { type Run, ledgerFiles, newestRun } from '../../warehouse/lake/ledger.ts';
import { findReleased, releaseModel } from '../../pipelines/model/released.ts';
import type { Retrained } from '../../pipelines/model/retrain.ts';
import {
  isTrainingDue,
  train,
  type TrainingDeps,
  type TrainReport,
} from '../../pipelines/model/train-step.ts';
import type { PipelineSteps } from '../../pipelines/types.ts';
import { historyOf, type LakeHistory } from '../../warehouse/lake/history.ts';
import { readManifests } from '../../warehouse/lake/lake.ts';
import type { LakeHome } from '../../warehouse/lake/shared/lake-home.ts';
import type { DataPaths } from '../../warehouse/paths.ts';
import { withStoreLock } from '../processes/lock.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { trainInChild, type TrainingRequest } from '../processes/train-in-child.ts';

/** The same history gives the same model. */
const SEED = 1;

/** Trains without holding up this process. */
export type TrainApart = (request: TrainingRequest, progress: Progress) => Promise<Retrained>;

/** Training on a data folder; what it learned so far is in the ledger and the released model. */
export function createTraining(
  paths: DataPaths,
  codeVersion: string,
  { choosing }: Pick<LakeHome, 'choosing'>,
  trainApart: TrainApart = trainInChild,
): Pick<PipelineSteps, 'isTrainingDue' | 'train'> {
  const { lakeDir, modelsDir } = paths;
  const deps: TrainingDeps = {
    lakeHistory: () => historyIn(paths),
    releasedModel: () => findReleased(modelsDir),
    lastReport: async () => reportOf(await newestRun(ledgerFiles(paths), ['train'], 'done')),
    retrain: ({ months }, request, progress) =>
      trainApart({ ...request, months, lakeDir, modelsDir, seed: SEED, codeVersion }, progress),
    release: (model) => withStoreLock(paths, () => choosing(() => releaseModel(modelsDir, model))),
    now: () => new Date(),
  };
  return {
    isTrainingDue: () => isTrainingDue(deps),
    train: (request, progress) => train(request, deps, progress),
  };
}

/** What a model would be trained on now. */
export async function historyIn({ lakeDir }: Pick<DataPaths, 'lakeDir'>): Promise<LakeHistory> {
  return historyOf(await readManifests(lakeDir));
}

function reportOf(run: Run | undefined): TrainReport | undefined {
  return run?.detail as TrainReport | undefined;
}
