import { featureContract } from '../../models/features.ts';
import type { LakeHistory } from '../../warehouse/lake/history.ts';
import type { Progress } from '../../warehouse/progress.ts';
import type { Trial, Verdict } from './gate.ts';
import type { FoundModel } from './released.ts';
import { FEWEST_MONTHS, type Retrained } from './retrain.ts';

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
  /** Of the model that was released. */
  version?: string;
};

export type TrainingDeps = {
  /** What the lake holds. */
  lakeHistory: () => Promise<LakeHistory>;
  /** Rehearses and trains on it, without holding up this process. */
  retrain: (history: LakeHistory, progress: Progress) => Promise<Retrained>;
  /** Makes the model the released one, whole or not at all; returns its version. */
  release: (model: { bytes: Uint8Array; card: object }) => Promise<string>;
  /** The model a publish would take. */
  releasedModel: () => Promise<FoundModel>;
  /** The report of the last training that came to its end. */
  lastReport: () => Promise<TrainReport | undefined>;
};

/** Trains on the lake and releases the model if it earns it; that it does not is a result like any other. */
export async function train(
  { lakeHistory, retrain, release, releasedModel }: TrainingDeps,
  progress: Progress,
): Promise<TrainReport> {
  const history = await lakeHistory();
  const { months, rows, sha256: dataSha256 } = history;
  const learned = { months, dataSha256, rows, contract: featureContract() };
  if (months.length < FEWEST_MONTHS) return { ...tooFew(months), ...learned };
  const { bytes, verdict, trial } = await retrain(history, progress);
  if (bytes) {
    const version = await release({ bytes, card: { ...verdict, trial } });
    return { ...verdict, ...learned, ...(trial && { trial }), version };
  }
  const { model } = await releasedModel();
  const isSame = model?.trainedOn.dataSha256 === dataSha256;
  const why = isSame
    ? `${verdict.why}; ${model.version} was trained on this same history`
    : verdict.why;
  return { ...verdict, why, ...learned, ...(trial && { trial }) };
}

/**
 * Whether a training may bring what there is not yet: the lake has enough months, they are not those the model in use
 * was trained on, and no training on them has come to its end with these features.
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
