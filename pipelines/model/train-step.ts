import { featureContract } from '../../models/features.ts';
import type { Coverage } from '../../models/onnx/metadata.ts';
import type { LakeHistory } from '../../warehouse/lake/history.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { ModelWithdrawnError } from '../errors.ts';
import type { Verdict } from './release-verdict.ts';
import type { ModelCard } from './model-folder.ts';
import type { ModelLookup } from './released-model.ts';
import type { Retrained } from './retrain.ts';
import { MIN_MONTHS, type Trial } from './trial.ts';

/** The result of a training, whether or not it released a model. */
export type TrainReport = Verdict & {
  /** Months of the history, `YYYY-MM`, ascending. */
  months: string[];
  /** SHA-256 of the history, the same as in the metadata of a model trained on it. */
  dataSha256: string;
  /** Rows of the history. */
  rows: number;
  /** Contract of the code that trained: the hash of its feature names. */
  contract: string;
  /** Absent when the history was too short for a rehearsal. */
  trial?: Trial;
  /** Coverage of the training rows; absent when no model was trained. */
  coverage?: Coverage;
  /** Version of the released model. */
  version?: string;
};

export type TrainRequest = {
  /** Release the model even if it was trained on less of the country than the released model. */
  acceptsRegional?: boolean;
};

export type TrainingDeps = {
  /** Months and rows in the lake. */
  lakeHistory: () => Promise<LakeHistory>;
  /** Rehearses and trains on the history, without blocking this process. */
  retrain: (history: LakeHistory, request: TrainRequest, progress: Progress) => Promise<Retrained>;
  /** Makes the model the released one, atomically; returns its version. Throws `ModelWithdrawnError`. */
  release: (model: { bytes: Uint8Array; card: ModelCard }) => Promise<string>;
  /** Returns the released model or, if there is none, the bundled model. */
  releasedModel: () => Promise<ModelLookup>;
  /** The report of the last finished training. */
  lastReport: () => Promise<TrainReport | undefined>;
  now: () => Date;
};

/** Trains on the lake and releases the model if it is good enough; a refusal is a normal result. */
export async function train(
  request: TrainRequest,
  deps: TrainingDeps,
  progress: Progress,
): Promise<TrainReport> {
  const history = await deps.lakeHistory();
  const { months, rows, sha256: dataSha256 } = history;
  const historyFacts = { months, dataSha256, rows, contract: featureContract() };
  if (months.length < MIN_MONTHS) return { ...tooFewMonths(months), ...historyFacts };
  const { bytes, verdict, trial, trainedOn } = await deps.retrain(history, request, progress);
  const { coverage } = trainedOn ?? {};
  const facts = { ...historyFacts, ...(trial && { trial }), ...(coverage && { coverage }) };
  if (!bytes) return { ...facts, ...(await explainRefusal(verdict, dataSha256, deps)) };
  const releasedAt = deps.now().toISOString();
  try {
    const card = { ...verdict, ...(trial && { trial }), releasedAt };
    return { ...facts, ...verdict, version: await deps.release({ bytes, card }) };
  } catch (error) {
    if (!(error instanceof ModelWithdrawnError)) throw error;
    return { ...facts, isReleased: false, why: error.message };
  }
}

/** If the released model was trained on the same history, says so in the refusal. */
async function explainRefusal(
  verdict: Verdict,
  dataSha256: string,
  { releasedModel }: Pick<TrainingDeps, 'releasedModel'>,
): Promise<Verdict> {
  const { model } = await releasedModel();
  if (model?.trainedOn.dataSha256 !== dataSha256) return verdict;
  return {
    ...verdict,
    why: `${verdict.why}; the released model ${model.version} was trained on the same history`,
  };
}

/**
 * Whether a training can give a new result: the lake has enough months, the released model was trained on other months,
 * and no training on these months has finished with the current features.
 */
export async function isTrainingDue({
  lakeHistory,
  releasedModel,
  lastReport,
}: Pick<TrainingDeps, 'lakeHistory' | 'releasedModel' | 'lastReport'>): Promise<boolean> {
  const { months, sha256 } = await lakeHistory();
  if (months.length < MIN_MONTHS) return false;
  const { model } = await releasedModel();
  if (model?.trainedOn.dataSha256 === sha256) return false;
  const last = await lastReport();
  return last?.dataSha256 !== sha256 || last.contract !== featureContract();
}

function tooFewMonths(months: string[]): Verdict {
  return {
    isReleased: false,
    why: `not released: the lake has ${months.length} months, but ${MIN_MONTHS} are needed: make ingest FILE=…`,
  };
}
