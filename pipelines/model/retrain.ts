import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { TreeProgress } from '../../models/train/trees.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { TrainingData } from '../../warehouse/build/training-rows.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { judge, judgeCoverage, refuseTooFew, type Verdict } from './release-verdict.ts';
import { rehearse, type RehearsalDeps, type ReleasedModel } from './rehearsal.ts';
import { TooLittleHistoryError } from './train-model.ts';
import { MIN_FLIGHTS, holdOutMonths, type Trial } from './trial.ts';

export type RetrainDeps = RehearsalDeps & {
  /** The flights of a month (`YYYY-MM`). */
  outcomesOf: (month: string) => Promise<Outcome[]>;
  /** The released model. */
  released: () => Promise<ReleasedModel | undefined>;
  /** Describes how a model disagrees with ONNX Runtime on its training rows; undefined if they agree. */
  describeDisagreement: (bytes: Uint8Array, training: TrainingData) => string | undefined;
};

export type RetrainRequest = {
  /** Months of the lake, `YYYY-MM`, ascending. There must be at least `MIN_MONTHS`. */
  months: string[];
  /** First day after the last month. */
  until: string;
  /** Whether to release a model that was trained on less of the country than the released one. */
  acceptsRegional: boolean;
};

/**
 * Result of a training. `bytes` is the model trained on the whole history; absent if no model may be released. `trial`
 * is the result of the rehearsal; absent if there was no rehearsal.
 */
export type Retrained = {
  bytes?: Uint8Array;
  verdict: Verdict;
  trial?: Trial;
  /** Training data of the last model that was trained. */
  trainedOn?: ModelMetadata['trainedOn'];
};

/** The stages of a training, in order. Within a stage, each new tree is reported as progress. */
const STAGES = ['history', 'rehearsal', 'forecasts', 'whole history', 'model'] as const;

/**
 * Rehearses on the newest months: trains on the months before them and forecasts the newest months. Trains on the whole
 * history only after a good rehearsal.
 */
export async function retrain(
  request: RetrainRequest,
  deps: RetrainDeps,
  progress: Progress,
): Promise<Retrained> {
  try {
    const released = await deps.released();
    const rehearsal = await rehearseOnEnough(request.months, released, deps, progress);
    if ('refusal' in rehearsal) return { verdict: rehearsal.refusal };
    const { trial, trainedOn } = rehearsal;
    const verdict = judge(trial);
    if (!verdict.isReleased) return { verdict, trial, trainedOn };
    return await finish({ trial, verdict, released }, request, deps, progress);
  } catch (error) {
    if (!(error instanceof TooLittleHistoryError)) throw error;
    return { verdict: { isReleased: false, why: `not released: ${error.message}` } };
  }
}

type Rehearsal = Awaited<ReturnType<typeof rehearse>>;

/**
 * Rehearses on the newest months. Adds earlier months while too few of the flights are on routes with earlier history.
 */
async function rehearseOnEnough(
  months: string[],
  released: ReleasedModel | undefined,
  deps: RetrainDeps,
  progress: Progress,
): Promise<Rehearsal | { refusal: Verdict }> {
  const trainedMonths = released?.trainedOn.months ?? [];
  const rehearsalProgress = {
    trees: treeProgress(progress, 'rehearsal'),
    forecasts: () => reportStage(progress, 'forecasts'),
  };
  let rehearsal: Rehearsal | undefined;
  for (let minFlights = MIN_FLIGHTS; ;) {
    reportStage(progress, 'history');
    const heldOut = await holdOutMonths(months, trainedMonths, deps.outcomesOf, minFlights);
    if (rehearsal && heldOut.flights < minFlights) return rehearsal;
    const refusal = refuseTooFew(heldOut);
    if (refusal) return { refusal };
    rehearsal = await rehearse(heldOut, released, deps, rehearsalProgress);
    if (rehearsal.trial.candidate.n >= MIN_FLIGHTS) return rehearsal;
    minFlights = heldOut.flights + 1;
  }
}

type Candidate = { trial: Trial; verdict: Verdict; released: ReleasedModel | undefined };

/**
 * Trains on the whole history. Returns the model only if it agrees with ONNX Runtime and its coverage allows a release.
 */
async function finish(
  { trial, verdict, released }: Candidate,
  { until, acceptsRegional }: RetrainRequest,
  deps: RetrainDeps,
  progress: Progress,
): Promise<Retrained> {
  reportStage(progress, 'whole history');
  const knowledge = await deps.knowledgeAsOf(until);
  const bytes = deps.train(knowledge, metricsOf(trial), treeProgress(progress, 'model'));
  const { trainedOn } = deps.openModel(bytes).metadata;
  const disagreement = deps.describeDisagreement(bytes, knowledge.training);
  if (disagreement !== undefined) {
    const why = `not released: ${disagreement}, although ${verdict.why.replace(/^released: /, '')}`;
    return { verdict: { isReleased: false, why }, trial, trainedOn };
  }
  const finalVerdict = judgeCoverage(verdict, trainedOn, released?.trainedOn, acceptsRegional);
  return { ...(finalVerdict.isReleased && { bytes }), verdict: finalVerdict, trial, trainedOn };
}

function reportStage(
  progress: Progress,
  stage: (typeof STAGES)[number],
  label = `${stage}: started`,
): void {
  progress(STAGES.indexOf(stage), STAGES.length, label);
}

function treeProgress(progress: Progress, stage: (typeof STAGES)[number]): TreeProgress {
  return (done, total) =>
    reportStage(progress, stage, `${stage}: tree ${done} of at most ${total}`);
}

/** Returns the figures of the rehearsal, for the metadata of the model. */
export function metricsOf({
  months,
  candidate,
  score,
  distribution,
}: Trial): ModelMetadata['metrics'] {
  return {
    testedOn: months,
    ...candidate,
    ...(score && { score }),
    ...(distribution && { distribution }),
  };
}
