/**
 * `node training-child.ts REQUEST`: the process that trains a model, judges a model trained elsewhere, or measures a
 * record.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { firstDay } from '../../warehouse/ground/dates.ts';
import { lowerPriority } from '../../warehouse/ground/priority.ts';
import { MODEL_CONTRACT } from '../../models/features.ts';
import { inspectModel } from '../../models/onnx/inspect.ts';
import type { RecordAccuracy } from '../../models/record-accuracy.ts';
import { openModel, type Model } from '../../models/onnx/model.ts';
import { openBlocking } from '../../models/runtime/runtime.ts';
import { openXgboost } from '../../models/train/xgboost.ts';
import { judgeImport, type JudgedImport } from '../../pipelines/model/judge-import.ts';
import { measureRecord } from '../../pipelines/model/record-accuracy.ts';
import { describeDisagreement } from '../../pipelines/model/reference-check.ts';
import { findReleased } from '../../pipelines/model/released-model.ts';
import { retrain, type Retrained } from '../../pipelines/model/retrain.ts';
import { trainModel } from '../../pipelines/model/train-model.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { knowledgeAsOf, readOutcomes } from '../../warehouse/build/as-of.ts';
import { isFinal } from '../../warehouse/errors.ts';
import { openStore } from '../../warehouse/store/open.ts';
import type {
  JudgeRequest,
  MeasureRequest,
  TrainingMessage,
  TrainingRequest,
} from './train-in-child.ts';

const parent = process.ppid;
// The parent disconnects when it has the result. If the parent is killed, this process receives the same event.
process.on('disconnect', () => process.exit());
// The API must not slow down during a training.
lowerPriority('background');

try {
  const [text = ''] = process.argv.slice(2);
  send({ result: await run(JSON.parse(text) as TrainingRequest | JudgeRequest | MeasureRequest) });
} catch (error) {
  const problem = error instanceof Error ? error.message : String(error);
  send({ problem, isFinal: isFinal(error) });
}

function run(request: TrainingRequest | JudgeRequest | MeasureRequest) {
  if ('periods' in request) return measure(request);
  return 'file' in request ? judge(request) : runTraining(request);
}

function measure({ provider, lakeDir, periods }: MeasureRequest): Promise<RecordAccuracy> {
  return measureRecord(provider, periods, {
    outcomesOf: (month) => readMonth(lakeDir, month),
    storeAsOf: async (day) => openStore((await knowledgeAsOf([lakeDir], day)).store),
  });
}

async function runTraining(request: TrainingRequest): Promise<Retrained> {
  const { months, seed, codeVersion, library } = request;
  const { acceptsRegional = false } = request;
  const xgboost = openXgboost(library);
  return retrain(
    { months, until: firstDay(months.at(-1) ?? '', 1), acceptsRegional },
    {
      ...historyDeps(request),
      train: ({ training }, metrics, progress) =>
        trainModel(training, { seed, codeVersion, metrics }, xgboost, progress),
      describeDisagreement: (bytes, training) => {
        const reference = openBlocking(bytes, MODEL_CONTRACT);
        try {
          return describeDisagreement(openModel(bytes, MODEL_CONTRACT), reference, training);
        } finally {
          reference.close();
        }
      },
    },
    progress,
  );
}

async function judge(request: JudgeRequest): Promise<JudgedImport> {
  const { months, file, codeVersion, deadlineMs, acceptsRegional = false } = request;
  return judgeImport(
    {
      file: { name: path.basename(file), bytes: await readFile(file) },
      ...{ months, codeVersion, deadlineMs, acceptsRegional },
    },
    { ...historyDeps(request), monotonicMs: () => performance.now() },
    progress,
  );
}

/** Returns the functions that read the history of the lake, and the functions that open models for the comparison. */
function historyDeps({ lakeDir, modelsDir }: TrainingRequest | JudgeRequest) {
  return {
    knowledgeAsOf: (day: string) => knowledgeAsOf([lakeDir], day),
    outcomesOf: (month: string) => readMonth(lakeDir, month),
    openStore,
    openModel: openAnyModel,
    released: async () => (await findReleased(modelsDir)).model,
  };
}

function readMonth(lakeDir: string, month: string) {
  return readOutcomes(lakeDir, `${month}-01`, firstDay(month, 1));
}

/** Opens our own models with our own evaluator, and imported models in ONNX Runtime. */
function openAnyModel(bytes: Uint8Array): Model {
  const { metadata } = inspectModel(bytes, MODEL_CONTRACT);
  return metadata.imported ? openBlocking(bytes, MODEL_CONTRACT) : openModel(bytes, MODEL_CONTRACT);
}

function progress(...args: Parameters<Progress>): void {
  // Checks whether the parent still runs, because no event is delivered while a tree grows.
  if (process.ppid !== parent) process.exit(1);
  send({ progress: args });
}

function send(message: TrainingMessage): void {
  process.send?.(message);
}
