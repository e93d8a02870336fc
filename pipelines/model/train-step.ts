import { featureContract } from '../../models/features.ts';
import type { Coverage } from '../../models/onnx/metadata.ts';
import type { LakeHistory } from '../../warehouse/lake/history.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { ModelWithdrawnError } from '../errors.ts';
import type { Verdict } from './release-verdict.ts';
import type { ModelCard } from './kept.ts';
import type { FoundModel } from './released.ts';
import type { Retrained } from './retrain.ts';
import { FEWEST_MONTHS, type Trial } from './trial.ts';

/** What came of a training, released or not. */
export type TrainReport = Verdict & {
  /** The history it learned from, `YYYY-MM`, ascending. */
  months: string[];
  /** SHA-256 of that history, as a model tells it of its own. */
  dataSha256: string;
  /** Of that history. */
  rows: number;
  /** `featureContract()` of the code that trained. */
  contract: string;
  /** Absent when there was too little history for a rehearsal. */
  trial?: Trial;
  /** What the model learned from one by one; absent when none was trained. */
  coverage?: Coverage;
  /** Of the model that was released. */
  version?: string;
};

export type TrainRequest = {
  /** Release the model even if it learned from less of the country than the released one. */
  acceptsRegional?: boolean;
};

export type TrainingDeps = {
  /** What the lake holds. */
  lakeHistory: () => Promise<LakeHistory>;
  /** Rehearses and trains on it, without holding up this process. */
  retrain: (history: LakeHistory, request: TrainRequest, progress: Progress) => Promise<Retrained>;
  /** Makes the model the released one, whole or not at all; returns its version. Throws `ModelWithdrawnError`. */
  release: (model: { bytes: Uint8Array; card: ModelCard }) => Promise<string>;
  /** The model released so far, or the bundled one. */
  releasedModel: () => Promise<FoundModel>;
  /** The report of the last training that came to its end. */
  lastReport: () => Promise<TrainReport | undefined>;
  now: () => Date;
};

/** Trains on the lake and releases the model if it earns it; that it does not is a result like any other. */
export async function train(
  request: TrainRequest,
  deps: TrainingDeps,
  progress: Progress,
): Promise<TrainReport> {
  const history = await deps.lakeHistory();
  const { months, rows, sha256: dataSha256 } = history;
  const learned = { months, dataSha256, rows, contract: featureContract() };
  if (months.length < FEWEST_MONTHS) return { ...tooFew(months), ...learned };
  const { bytes, verdict, trial, trainedOn } = await deps.retrain(history, request, progress);
  const { coverage } = trainedOn ?? {};
  const facts = { ...learned, ...(trial && { trial }), ...(coverage && { coverage }) };
  if (!bytes) return { ...facts, ...(await told(verdict, dataSha256, deps)) };
  const releasedAt = deps.now().toISOString();
  try {
    const card = { ...verdict, ...(trial && { trial }), releasedAt };
    return { ...facts, ...verdict, version: await deps.release({ bytes, card }) };
  } catch (error) {
    if (!(error instanceof ModelWithdrawnError)) throw error;
    return { ...facts, isReleased: false, why: error.message };
  }
}

/** The refusal, which is no wonder where the released model knows the same. */
async function told(
  verdict: Verdict,
  dataSha256: string,
  { releasedModel }: Pick<TrainingDeps, 'releasedModel'>,
): Promise<Verdict> {
  const { model } = await releasedModel();
  if (model?.trainedOn.dataSha256 !== dataSha256) return verdict;
  return { ...verdict, why: `${verdict.why}; ${model.version} was trained on this same history` };
}

/**
 * Whether a training may bring what there is not yet: the lake has enough months, they are not those the released
 * model was trained on, and no training on them has come to its end with these features.
 */
export async function isTrainingDue({
  lakeHistory,
  releasedModel,
  lastReport,
}: Pick<TrainingDeps, 'lakeHistory' | 'releasedModel' | 'lastReport'>): Promise<boolean> {
  const { months, sha256 } = await lakeHistory();
  if (months.length < FEWEST_MONTHS) return false;
  const { model } = await releasedModel();
  if (model?.trainedOn.dataSha256 === sha256) return false;
  const last = await lastReport();
  return last?.dataSha256 !== sha256 || last.contract !== featureContract();
}

function tooFew(months: string[]): Verdict {
  return {
    isReleased: false,
    why: `not released: ${months.length} months in the lake, and ${FEWEST_MONTHS} are needed: make ingest FILE=…`,
  };
}
