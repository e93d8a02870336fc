import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { featureContract, FEATURES } from '../../models/features.ts';
import { type Model, openModel } from '../../models/onnx/session.ts';
import type { TreeProgress } from '../../models/train/trees.ts';
import { openXgboost } from '../../models/train/xgboost.ts';
import { extractFile } from '../../pipelines/flights/ingest.ts';
import { backtest as measure, type Backtest } from '../../pipelines/model/backtest.ts';
import { trainModel } from '../../pipelines/model/train.ts';
import { knowledgeAsOf, outcomesOf } from '../../warehouse/as-of.ts';
import type { CommandContext } from '../context.ts';
import { backtestTables } from './backtest-tables.ts';
import { createExtractDeps } from '../../warehouse/extract.ts';
import type { TrainingData } from '../../warehouse/training.ts';
import { openStore } from '../../warehouse/store/open.ts';

/** Prints the figures as one JSON object or as tables; progress goes to the error stream. */
export async function backtest(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  request: Omit<BacktestRequest, 'log'> & { json: boolean },
): Promise<number> {
  const result = await backtestFiles({ ...request, log: (line) => err.write(`${line}\n`) });
  out.write(request.json ? `${JSON.stringify(result)}\n` : backtestTables(result));
  return 0;
}

export type BacktestRequest = {
  files: string[];
  /** First day that is forecast, `YYYY-MM-DD`. */
  cut: string;
  /** The history that ships with the code, for the months the files do not have. */
  seedFile: string;
  codeVersion: string;
  log: (line: string) => void;
};

const SEED = 1;

/** Ingests the files into a throw-away data folder, trains before the cut, and measures from it on. */
export async function backtestFiles(request: BacktestRequest): Promise<Backtest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwind-backtest-'));
  try {
    const [lake, seedLake] = [path.join(folder, 'lake'), path.join(folder, 'seed')];
    for (const file of request.files) await extract(file, lake, request);
    await extract(request.seedFile, seedLake, request);
    return await measureLakes([lake, seedLake], lake, request);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function extract(file: string, lakeDir: string, { codeVersion, log }: BacktestRequest) {
  log(`reading ${path.basename(file)}`);
  await extractFile({ path: file }, createExtractDeps({ lakeDir, codeVersion }), () => undefined);
}

function measureLakes(lakes: string[], tested: string, request: BacktestRequest) {
  const { cut, codeVersion, log } = request;
  const xgboost = openXgboost();
  const trained = (data: TrainingData, progress: TreeProgress, plain = false) =>
    trainModel(data, { seed: SEED, codeVersion, metrics: {}, plain }, xgboost, progress);
  return measure(cut, {
    knowledgeAsOf: (day) => knowledgeAsOf(lakes, day),
    outcomesOf: (from, until) => outcomesOf(tested, from, until),
    openStore,
    train: ({ training }, what) =>
      opened(
        trained(training, (done, most) => {
          if (done % 50 === 0) log(`${what}: tree ${done} of at most ${most}`);
        }),
      ),
    trainPlain: ({ training }) => opened(trained(training, () => undefined, true)),
    log,
  });
}

function opened(bytes: Uint8Array): Promise<Model> {
  const features = FEATURES.map(({ name }) => name);
  return openModel(bytes, { contract: featureContract(), features });
}
