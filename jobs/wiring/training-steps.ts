import { type Run, ledgerFiles, newestRun } from '../../warehouse/lake/ledger.ts';
import { findReleased, releaseModel } from '../../pipelines/model/released-model.ts';
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
import type { Retention } from '../../warehouse/ground/retention.ts';
import type { DataPaths } from '../../warehouse/paths.ts';
import { withStoreLock } from '../processes/lock.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { trainInChild, type TrainingRequest } from '../processes/train-in-child.ts';

/** The seed is fixed, so that equal history gives an equal model. */
const SEED = 1;

/** Trains outside this process, without blocking it. */
export type RunTraining = (request: TrainingRequest, progress: Progress) => Promise<Retrained>;

/**
 * Creates the training steps of a data folder. The steps find earlier trainings in the ledger and in the released
 * model.
 */
export function createTraining(
  {
    paths,
    codeVersion,
    retention,
  }: { paths: DataPaths; codeVersion: string; retention?: Retention | undefined },
  { withModelLock }: Pick<LakeHome, 'withModelLock'>,
  runTraining: RunTraining = trainInChild,
): Pick<PipelineSteps, 'isTrainingDue' | 'train'> {
  const { lakeDir, modelsDir } = paths;
  const deps: TrainingDeps = {
    lakeHistory: () => readLakeHistory(paths),
    releasedModel: () => findReleased(modelsDir),
    lastReport: async () => reportOf(await newestRun(ledgerFiles(paths), ['train'], 'done')),
    retrain: ({ months }, request, progress) =>
      runTraining({ ...request, months, lakeDir, modelsDir, seed: SEED, codeVersion }, progress),
    release: (model) =>
      withStoreLock(paths, () => withModelLock(() => releaseModel(modelsDir, model, retention))),
    now: () => new Date(),
  };
  return {
    isTrainingDue: () => isTrainingDue(deps),
    train: (request, progress) => train(request, deps, progress),
  };
}

/** Returns the history that a model would be trained on now. */
export async function readLakeHistory({
  lakeDir,
}: Pick<DataPaths, 'lakeDir'>): Promise<LakeHistory> {
  return historyOf(await readManifests(lakeDir));
}

function reportOf(run: Run | undefined): TrainReport | undefined {
  return run?.detail as TrainReport | undefined;
}
