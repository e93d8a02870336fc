import { figuresOf, type Case } from '../../models/evaluate/metrics.ts';
import { pairedFigures, type PairedCase } from '../../models/evaluate/paired.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { Model } from '../../models/onnx/model.ts';
import type { TreeProgress } from '../../models/train/trees.ts';
import type { Knowledge, Outcome } from '../../warehouse/build/as-of.ts';
import type { StoreFiles } from '../../warehouse/store/store-manifest.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { TrainingData } from '../../warehouse/build/training-rows.ts';
import { distributionFigures } from './distribution.ts';
import { scoreOutcomes, type ScoredOutcome } from './score-outcomes.ts';
import { scoreReliability } from './score-reliability.ts';
import { blocksOf, type Gain, type HeldOutMonths, type Trial } from './trial.ts';

export type RehearsalDeps = {
  /** The data known on a day. */
  knowledgeAsOf: (day: string) => Promise<Knowledge>;
  openStore: (files: StoreFiles) => ScoreStore;
  /** Trains a model on these data and returns its file; the metrics are stored in the file. */
  train: (
    knowledge: Knowledge,
    metrics: ModelMetadata['metrics'],
    progress: TreeProgress,
  ) => Uint8Array;
  openModel: (bytes: Uint8Array) => Model;
};

/** The released model, for comparison in a rehearsal. */
export type ReleasedModel = {
  version: string;
  bytes: Uint8Array;
  trainedOn: ModelMetadata['trainedOn'];
};

/** Progress callbacks of a rehearsal. */
export type RehearsalProgress = { trees: TreeProgress; forecasts: () => void };

/**
 * Trains on the data before the held-out months. Then forecasts these months with the new model and the released model.
 */
export async function rehearse(
  { months, outcomes }: HeldOutMonths,
  released: ReleasedModel | undefined,
  deps: RehearsalDeps,
  progress: RehearsalProgress,
): Promise<{ trial: Trial; trainedOn: ModelMetadata['trainedOn'] }> {
  const knowledge = await deps.knowledgeAsOf(`${months[0]}-01`);
  const bytes = deps.train(knowledge, {}, progress.trees);
  progress.forecasts();
  return compareModels(bytes, released, { months, outcomes, knowledge }, deps);
}

/** The test flights, and the data known before them. */
export type TestSet = Pick<HeldOutMonths, 'months' | 'outcomes'> & {
  knowledge: Pick<Knowledge, 'store' | 'training'>;
};

/** Forecasts the test flights with a candidate and the released model, and compares the forecasts. */
export function compareModels(
  bytes: Uint8Array,
  released: ReleasedModel | undefined,
  { months, outcomes, knowledge }: TestSet,
  deps: Pick<RehearsalDeps, 'openStore' | 'openModel'>,
): { trial: Trial; trainedOn: ModelMetadata['trainedOn'] } {
  const store = deps.openStore(knowledge.store);
  const baseRate = trainingDelayRate(knowledge.training);
  const own = forecastWith(bytes, outcomes, store, deps);
  const candidate = figuresOf(own.cases, baseRate);
  const trial: Trial = {
    months,
    candidate,
    score: scoreReliability(own.scored),
    distribution: distributionFigures(own.scored),
  };
  if (!released) return { trial, trainedOn: own.trainedOn };

  const theirs = forecastWith(released.bytes, outcomes, store, deps);
  const seen = months.filter((month) => released.trainedOn.months.includes(month));
  return {
    trial: {
      ...trial,
      previous: { ...figuresOf(theirs.cases, baseRate), version: released.version },
      gain: gainOf(pairCases(own.cases, theirs.cases)),
      ...(seen.length > 0 && { seen }),
    },
    trainedOn: own.trainedOn,
  };
}

type Forecast = Case & { outcome: Outcome };

/** Returns the forecasts of a model. The store alone decides which flights have a forecast. */
function forecastWith(
  bytes: Uint8Array,
  outcomes: Outcome[],
  store: ScoreStore,
  { openModel }: Pick<RehearsalDeps, 'openModel'>,
): { scored: ScoredOutcome[]; cases: Forecast[]; trainedOn: ModelMetadata['trainedOn'] } {
  const model = openModel(bytes);
  const scored = scoreOutcomes(outcomes, store, model, true);
  const cases = scored.flatMap(({ ml, outcome }) =>
    ml === undefined || outcome.completed_count === 0
      ? []
      : {
          p: ml,
          flights: outcome.completed_count,
          delayed: outcome.delayed_count,
          outcome,
        },
  );
  return { scored, cases, trainedOn: model.metadata.trainedOn };
}

function pairCases(own: Forecast[], theirs: Forecast[]): PairedCase[] {
  const blocks = blocksOf(own.map(({ outcome }) => outcome));
  return own.map(({ p, flights, delayed }, at) => ({
    cluster: blocks[at] as string,
    flights,
    delayed,
    ours: p,
    theirs: (theirs[at] as Forecast).p,
  }));
}

function gainOf(cases: PairedCase[]): Gain {
  const { brier, clusters } = pairedFigures(cases);
  return { gain: -brier.difference, error: brier.noise, blocks: clusters };
}

/** Share of delayed flights in the training data. */
function trainingDelayRate({ outlook }: TrainingData): number {
  const { under15, from15to30, from30to60, from60to120, over120 } = outlook;
  const delayed = from30to60 + from60to120 + over120;
  return delayed / (under15 + from15to30 + delayed);
}
