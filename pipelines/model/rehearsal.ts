import { figuresOf, type Case } from '../../models/evaluate/metrics.ts';
import { pairedFigures, type PairedCase } from '../../models/evaluate/paired.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { Model } from '../../models/onnx/model.ts';
import type { TreeProgress } from '../../models/train/trees.ts';
import type { Knowledge, Outcome } from '../../warehouse/build/as-of.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { TrainingData } from '../../warehouse/build/training-rows.ts';
import { scoreOutcomes, type Scored } from './score-outcomes.ts';
import { scoreReliability } from './score-reliability.ts';
import { blocksOf, type Gain, type Held, type Trial } from './trial.ts';

export type RehearsalDeps = {
  /** What was known on a day. */
  knowledgeAsOf: (day: string) => Promise<Knowledge>;
  openStore: (files: StoreFiles) => ScoreStore;
  /** The file of a model trained on what was known; the figures go into it. */
  train: (
    knowledge: Knowledge,
    metrics: ModelMetadata['metrics'],
    progress: TreeProgress,
  ) => Uint8Array;
  openModel: (bytes: Uint8Array) => Model;
};

/** The model released so far, as far as it takes part in a rehearsal. */
export type ReleasedModel = {
  version: string;
  bytes: Uint8Array;
  trainedOn: ModelMetadata['trainedOn'];
};

/** What a rehearsal tells of itself while it goes on. */
export type RehearsalProgress = { trees: TreeProgress; forecasts: () => void };

/** Trains on what was known before the held months, forecasts them, and has the released model forecast them, too. */
export async function rehearse(
  { months, outcomes }: Held,
  released: ReleasedModel | undefined,
  deps: RehearsalDeps,
  progress: RehearsalProgress,
): Promise<{ trial: Trial; trainedOn: ModelMetadata['trainedOn'] }> {
  const knowledge = await deps.knowledgeAsOf(`${months[0]}-01`);
  const bytes = deps.train(knowledge, {}, progress.trees);
  progress.forecasts();
  const store = deps.openStore(knowledge.store);
  const baseRate = delayedShare(knowledge.training);
  const own = forecasts(bytes, outcomes, store, deps);
  const candidate = figuresOf(own.cases, baseRate);
  const trial: Trial = { months, candidate, score: scoreReliability(own.scored) };
  if (!released) return { trial, trainedOn: own.trainedOn };

  const theirs = forecasts(released.bytes, outcomes, store, deps);
  const seen = months.filter((month) => released.trainedOn.months.includes(month));
  return {
    trial: {
      ...trial,
      previous: { ...figuresOf(theirs.cases, baseRate), version: released.version },
      gain: gainOf(paired(own.cases, theirs.cases)),
      ...(seen.length > 0 && { seen }),
    },
    trainedOn: own.trainedOn,
  };
}

type Forecast = Case & { outcome: Outcome };

/** What the model says of the flights it has a say in, which depends on the store alone. */
function forecasts(
  bytes: Uint8Array,
  outcomes: Outcome[],
  store: ScoreStore,
  { openModel }: Pick<RehearsalDeps, 'openModel'>,
): { scored: Scored[]; cases: Forecast[]; trainedOn: ModelMetadata['trainedOn'] } {
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

function paired(own: Forecast[], theirs: Forecast[]): PairedCase[] {
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

/** Share of the flights before that were delayed. */
function delayedShare({ outlook }: TrainingData): number {
  const { under15, from15to30, from30to60, from60to120, over120 } = outlook;
  const delayed = from30to60 + from60to120 + over120;
  return delayed / (under15 + from15to30 + delayed);
}
