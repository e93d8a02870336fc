import { trainInChild } from '../../../jobs/processes/train-in-child.ts';
import type { RunTraining } from '../../../jobs/wiring/training-steps.ts';
import { findReleased } from '../../../pipelines/model/released-model.ts';
import { historyOf } from '../../../warehouse/lake/history.ts';
import { readManifests } from '../../../warehouse/lake/lake.ts';
import { oncePerRun } from '../../helpers/once-per-run.ts';

/**
 * Trains like the product, but caches models during a test run. The same months from the same files and the same
 * released model give the same model.
 */
export const trainWithCache: RunTraining = async (request, progress) => {
  const { lakeDir, modelsDir, ...parameters } = request;
  const { sha256 } = historyOf(await readManifests(lakeDir));
  const released = (await findReleased(modelsDir)).model?.version;
  const key = JSON.stringify(['training', sha256, released, parameters]);
  return oncePerRun(key, () => trainInChild(request, progress));
};
