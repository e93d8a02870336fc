import { figuresOf, type Figures } from '../../models/evaluate/metrics.ts';
import type { Model } from '../../models/onnx/session.ts';
import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { TreeProgress } from '../../models/train/trees.ts';
import type { Knowledge, Outcome } from '../../warehouse/build/as-of.ts';
import type { StoreFiles } from '../../warehouse/store/open.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { TrainingData } from '../../warehouse/build/training-rows.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { judge, type Trial, type Verdict } from './gate.ts';
import { scoreOutcomes } from './score-outcomes.ts';
import { TooLittleHistoryError } from './train.ts';

export type RetrainDeps = {
  /** What was known on a day. */
  knowledgeAsOf: (day: string) => Promise<Knowledge>;
  /** The flights that left in `[from, until)`. */
  outcomesOf: (from: string, until: string) => Promise<Outcome[]>;
  openStore: (files: StoreFiles) => ScoreStore;
  /** The file of a model trained on what was known; the figures go into it. */
  train: (
    knowledge: Knowledge,
    metrics: ModelMetadata['metrics'],
    progress: TreeProgress,
  ) => Uint8Array;
  openModel: (bytes: Uint8Array) => Promise<Model>;
  /** The model released so far. */
  released: () => Promise<Uint8Array | undefined>;
};

/** The model of the whole history where it earned its release, and what its rehearsal showed, if there was one. */
export type Retrained = { bytes?: Uint8Array; verdict: Verdict; trial?: Trial };

/** Months held out of the rehearsal's training: enough flights to tell models apart, few enough to learn from the rest. */
const TRIAL_MONTHS = 2;

/** Two months to rehearse on, and two before them to learn from. */
export const FEWEST_MONTHS = 2 + TRIAL_MONTHS;

/** What is done one after the other; trees grow within a stage. */
const STAGES = ['history', 'rehearsal', 'forecasts', 'whole history', 'model'] as const;

/**
 * Rehearses on the newest of the months (`YYYY-MM`, ascending, `FEWEST_MONTHS` at least): trains on those before,
 * forecasts them, and only when that went well trains on everything. `until` is the first day after the last month.
 */
export async function retrain(
  months: string[],
  until: string,
  deps: RetrainDeps,
  progress: Progress,
): Promise<Retrained> {
  try {
    const trial = await rehearse(months, until, deps, progress);
    const verdict = judge(trial);
    if (!verdict.isReleased) return { verdict, trial };
    tell(progress, 'whole history');
    const knowledge = await deps.knowledgeAsOf(until);
    const bytes = deps.train(knowledge, metricsOf(trial), trees(progress, 'model'));
    return { bytes, verdict, trial };
  } catch (error) {
    if (!(error instanceof TooLittleHistoryError)) throw error;
    return { verdict: { isReleased: false, why: `not released: ${error.message}` } };
  }
}

async function rehearse(
  months: string[],
  until: string,
  deps: RetrainDeps,
  progress: Progress,
): Promise<Trial> {
  const held = months.slice(-TRIAL_MONTHS);
  const from = `${held[0]}-01`;
  tell(progress, 'history');
  const knowledge = await deps.knowledgeAsOf(from);
  const bytes = deps.train(knowledge, {}, trees(progress, 'rehearsal'));
  tell(progress, 'forecasts');
  const store = deps.openStore(knowledge.store);
  const outcomes = await deps.outcomesOf(from, until);
  const baseRate = delayedShare(knowledge.training);
  const figures = async (bytes: Uint8Array): Promise<Figures> => {
    const model = await deps.openModel(bytes);
    try {
      const scored = await scoreOutcomes(outcomes, store, model, true);
      return figuresOf(
        scored.flatMap(({ ml, outcome }) =>
          ml === undefined || outcome.completed_count === 0
            ? []
            : { p: ml, flights: outcome.completed_count, delayed: outcome.delayed_count },
        ),
        baseRate,
      );
    } finally {
      await model.close();
    }
  };
  const candidate = await figures(bytes);
  const released = await deps.released();
  return { months: held, candidate, ...(released && { previous: await figures(released) }) };
}

function tell(progress: Progress, stage: (typeof STAGES)[number], what: string = stage): void {
  progress(STAGES.indexOf(stage), STAGES.length, what);
}

function trees(progress: Progress, stage: (typeof STAGES)[number]): TreeProgress {
  return (done, most) => tell(progress, stage, `${stage}: tree ${done} of at most ${most}`);
}

/** What the card says of the rehearsal. */
function metricsOf({ months, candidate }: Trial): ModelMetadata['metrics'] {
  return { testedOn: months, ...candidate };
}

/** Share of the flights before that were delayed. */
function delayedShare({ outlook }: TrainingData): number {
  const { under15, from15to30, from30to60, from60to120, over120 } = outlook;
  const delayed = from30to60 + from60to120 + over120;
  return delayed / (under15 + from15to30 + delayed);
}
