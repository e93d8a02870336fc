import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { featureContract, FEATURES } from '../../models/features.ts';
import { openModel } from '../../models/onnx/session.ts';
import { openXgboost } from '../../models/train/xgboost.ts';
import { findModel, releaseModel } from '../../pipelines/model/released.ts';
import { retrain, type Retrained } from '../../pipelines/model/retrain.ts';
import { trainModel } from '../../pipelines/model/train.ts';
import { endOf, knowledgeAsOf, outcomesOf } from '../../warehouse/as-of.ts';
import { readManifests } from '../../warehouse/lake.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type { CommandContext } from '../context.ts';

export type TrainRequest = { seed: number; codeVersion: string };

/**
 * Trains on the months of the lake and releases the model if it earns it; 1 when it does not. It reads the lake alone,
 * and nothing else may run in this process: a tree holds it up for as long as it grows.
 */
export async function train(
  { config, out, err }: Pick<CommandContext, 'config' | 'out' | 'err'>,
  { seed, codeVersion }: TrainRequest,
): Promise<number> {
  const { lakeDir, modelsDir } = dataPaths(config.dataDir);
  const months = (await readManifests(lakeDir)).map(({ month }) => month).toSorted();
  const last = months.at(-1);
  if (last === undefined || months.length < FEWEST_MONTHS) {
    err.write(
      `${months.length} months in the lake; ${FEWEST_MONTHS} are needed: make ingest FILE=…\n`,
    );
    return 1;
  }
  const xgboost = openXgboost();
  const contract = { contract: featureContract(), features: FEATURES.map(({ name }) => name) };
  const result = await retrain(months, endOf(last), {
    knowledgeAsOf: (day) => knowledgeAsOf([lakeDir], day),
    outcomesOf: (from, until) => outcomesOf(lakeDir, from, until),
    openStore,
    train: ({ training }, metrics, what) =>
      trainModel(training, { seed, codeVersion, metrics }, xgboost, (done, most) => {
        if (done % 50 === 0) err.write(`${what}: tree ${done} of at most ${most}\n`);
      }),
    openModel: (bytes) => openModel(bytes, contract),
    released: async () => (await findModel(modelsDir)).model?.bytes,
    log: (line) => err.write(`${line}\n`),
  });
  return tell({ out, err }, result, modelsDir);
}

/** Two months to rehearse on, and two before them to learn from. */
const FEWEST_MONTHS = 4;

async function tell(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  { bytes, verdict, trial }: Retrained,
  modelsDir: string,
): Promise<number> {
  if (!bytes) {
    err.write(`${verdict.why}\n`);
    return 1;
  }
  await mkdir(modelsDir, { recursive: true });
  const version = await releaseModel(modelsDir, { bytes, card: { ...verdict, trial } });
  out.write(`${verdict.why}\nModel ${version} in ${path.join(modelsDir, version)}\n`);
  out.write('Next: make publish\n');
  return 0;
}
