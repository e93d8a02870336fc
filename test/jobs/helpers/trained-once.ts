import { trainInChild } from '../../../jobs/processes/train-in-child.ts';
import type { TrainApart } from '../../../jobs/wiring/training-steps.ts';
import { findReleased } from '../../../pipelines/model/released.ts';
import { historyOf } from '../../../warehouse/lake/history.ts';
import { readManifests } from '../../../warehouse/lake/lake.ts';
import { oncePerRun } from '../../helpers/once-per-run.ts';

/**
 * Trains as the product does, but once for a run: the same months of the same files, against the same released model,
 * give the same model.
 */
export const trainedOnce: TrainApart = async (request, progress) => {
  const { lakeDir, modelsDir, ...asked } = request;
  const { sha256 } = historyOf(await readManifests(lakeDir));
  const released = (await findReleased(modelsDir)).model?.version;
  const key = JSON.stringify(['training', sha256, released, asked]);
  return oncePerRun(key, () => trainInChild(request, progress));
};
