import { sha256 } from '../../warehouse/ground/hashes.ts';
import { FEATURES, MODEL_CONTRACT } from '../../models/features.ts';
import { inspectForeign } from '../../models/onnx/inspect.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { Model } from '../../models/onnx/model.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { ModelImportRefusedError } from '../errors.ts';
import { compareModels, type TestSet } from './rehearsal.ts';
import { judge, judgeCoverage, type Verdict } from './release-verdict.ts';
import { metricsOf, type RetrainDeps } from './retrain.ts';
import { findTestSet } from './test-set.ts';
import { outlookShares } from './train-model.ts';
import type { Trial } from './trial.ts';

export type JudgeImportDeps = Pick<
  RetrainDeps,
  'knowledgeAsOf' | 'outcomesOf' | 'openStore' | 'openModel' | 'released'
> & {
  /** Milliseconds of a monotonic clock. */
  monotonicMs: () => number;
};

export type ImportRequest = {
  file: { name: string; bytes: Uint8Array };
  /** Months of the lake, `YYYY-MM`, ascending. */
  months: string[];
  /** Whether to release a model that was trained on less of the country than the released one. */
  acceptsRegional: boolean;
  codeVersion: string;
  /** Time within which the API needs an answer from the model. */
  deadlineMs: number;
};

/** A model trained elsewhere, with our metadata, and the verdict on its release. */
export type JudgedImport = {
  bytes: Uint8Array;
  verdict: Verdict;
  trial: Trial;
  /** Median time of a call with 24 rows, one for each hour of a day. */
  callMs: number;
};

const STAGES = ['history', 'forecasts'] as const;

/**
 * Judges a model trained elsewhere by the same rules as our own models: on the newest months, against the released
 * model. Throws a `ModelRefusedError` if the file does not fit our features or does not run, and a
 * `ModelImportRefusedError` if the history is too short to judge a model.
 */
export async function judgeImport(
  request: ImportRequest,
  deps: JudgeImportDeps,
  progress: Progress,
): Promise<JudgedImport> {
  const { file, months, acceptsRegional, deadlineMs } = request;
  const foreign = inspectForeign(file.bytes, MODEL_CONTRACT);
  progress(0, STAGES.length, STAGES[0]);
  const released = await deps.released();
  const testSet = await findTestSet(months, released, deps);
  if ('refusal' in testSet) throw new ModelImportRefusedError(testSet.refusal.why);
  progress(1, STAGES.length, STAGES[1]);
  const wrap = (metrics: ModelMetadata['metrics']) =>
    foreign.wrap(metadataOf(request, foreign.inputs, testSet, metrics));
  const draft = wrap({});
  const callMs = timeCalls(deps.openModel(draft), deps.monotonicMs);
  const { trial, trainedOn } = compareModels(draft, released, testSet, deps);
  const coverageVerdict = judgeCoverage(
    judge(trial),
    trainedOn,
    released?.trainedOn,
    acceptsRegional,
    'make model-import FILE=…',
  );
  const verdict = judgeSpeed(coverageVerdict, callMs, deadlineMs);
  return { bytes: wrap(metricsOf(trial)), verdict, trial, callMs };
}

/** Returns the metadata of an imported model. The model was trained elsewhere, on our rows before the test months. */
function metadataOf(
  { file, codeVersion }: ImportRequest,
  inputs: string[],
  { knowledge: { training } }: TestSet,
  metrics: ModelMetadata['metrics'],
): ModelMetadata {
  const isServed = training.columns['is_forecast']?.filter((value) => value === 0) ?? [];
  return {
    ...MODEL_CONTRACT,
    trainedOn: {
      months: training.months,
      rows: isServed.length,
      dataSha256: training.dataSha256,
      coverage: training.coverage,
    },
    codeVersion,
    metrics,
    outlook: outlookShares(training.outlook),
    imported: { file: file.name, sha256: sha256(file.bytes), inputs },
  };
}

const HOURS = 24;
const TIMED_CALLS = 21;

/**
 * Returns the median time of a call with a row for each hour. Also calls the model with zeros and with missing
 * features. Throws if the model returns no probabilities.
 */
function timeCalls({ predict }: Model, monotonicMs: () => number): number {
  const rows = new Float32Array(HOURS * FEATURES.length);
  predict(new Float32Array(FEATURES.length).fill(Number.NaN));
  const times = Array.from({ length: TIMED_CALLS }, () => {
    const from = monotonicMs();
    predict(rows);
    return monotonicMs() - from;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(TIMED_CALLS / 2)] as number;
}

function judgeSpeed(verdict: Verdict, callMs: number, deadlineMs: number): Verdict {
  if (!verdict.isReleased || callMs <= deadlineMs) return verdict;
  const why = `a call with ${HOURS} rows takes ${callMs.toFixed(0)} ms, but the API waits ${deadlineMs} ms (MODEL_DEADLINE_MS)`;
  return { isReleased: false, why: `not released: ${why}` };
}
