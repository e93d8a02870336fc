import type { Run } from '../../../warehouse/lake/ledger.ts';
import { readChoice } from '../../../pipelines/model/choice.ts';
import { findModel, findReleased } from '../../../pipelines/model/released-model.ts';
import type { TrainReport } from '../../../pipelines/model/train-step.ts';
import type { ModelStatus } from './types.ts';

/** Returns the published model, the model of the next publish, and the outcome of the last training. */
export async function modelStatus(
  modelsDir: string,
  published: string | undefined,
  training: Run | undefined,
): Promise<ModelStatus> {
  const { model, refused } = await findModel(modelsDir);
  const { pinned } = await readChoice(modelsDir);
  const released = (await findReleased(modelsDir)).model?.version;
  const isHidden = pinned !== undefined && released !== undefined && released !== model?.version;
  return {
    version: published ?? null,
    ...(model && {
      next: { version: model.version, origin: model.origin, months: model.trainedOn.months },
    }),
    ...(pinned !== undefined && { pinned }),
    ...(isHidden && { behindPin: released }),
    ...(refused !== undefined && { refused }),
    ...(training && { training: trainingOf(training) }),
  };
}

function trainingOf({ outcome, finishedAt, error, detail }: Run) {
  const report = detail as TrainReport | undefined;
  return { at: finishedAt, outcome, why: error ?? report?.why ?? '' };
}
