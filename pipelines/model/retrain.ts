import type { ModelMetadata } from '../../models/onnx/metadata.ts';
import type { TreeProgress } from '../../models/train/trees.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { Progress } from '../../warehouse/progress.ts';
import { judge, judgeBreadth, tooFewToTell, type Verdict } from './release-verdict.ts';
import { rehearse, type RehearsalDeps, type ReleasedModel } from './rehearsal.ts';
import { TooLittleHistoryError } from './train-model.ts';
import { FEWEST_FLIGHTS, holdBack, type Trial } from './trial.ts';

export type RetrainDeps = RehearsalDeps & {
  /** The flights of a month (`YYYY-MM`). */
  outcomesOf: (month: string) => Promise<Outcome[]>;
  /** The model released so far. */
  released: () => Promise<ReleasedModel | undefined>;
};

export type RetrainRequest = {
  /** Of the lake, `YYYY-MM`, ascending; `FEWEST_MONTHS` at least. */
  months: string[];
  /** First day after the last month. */
  until: string;
  /** Whether a model may be released that learned from less of the country than the released one. */
  acceptsRegional: boolean;
};

/** The model of the whole history where it earned its release, and what its rehearsal showed, if there was one. */
export type Retrained = {
  bytes?: Uint8Array;
  verdict: Verdict;
  trial?: Trial;
  /** What the last model that was trained learned from. */
  trainedOn?: ModelMetadata['trainedOn'];
};

/** What is done one after the other; trees grow within a stage. */
const STAGES = ['history', 'rehearsal', 'forecasts', 'whole history', 'model'] as const;

/**
 * Rehearses on the newest of the months: trains on those before, forecasts them, and only when that went well trains on
 * everything.
 */
export async function retrain(
  request: RetrainRequest,
  deps: RetrainDeps,
  progress: Progress,
): Promise<Retrained> {
  try {
    const released = await deps.released();
    const tried = await rehearseOnEnough(request.months, released, deps, progress);
    if ('tooFew' in tried) return { verdict: tried.tooFew };
    const { trial, trainedOn } = tried;
    const verdict = judge(trial);
    if (!verdict.isReleased) return { verdict, trial, trainedOn };
    return await finish({ trial, verdict, released }, request, deps, progress);
  } catch (error) {
    if (!(error instanceof TooLittleHistoryError)) throw error;
    return { verdict: { isReleased: false, why: `not released: ${error.message}` } };
  }
}

type Tried = Awaited<ReturnType<typeof rehearse>>;

/** Rehearses on the months it takes: on more of them where too many of their flights are on routes unknown before. */
async function rehearseOnEnough(
  months: string[],
  released: ReleasedModel | undefined,
  deps: RetrainDeps,
  progress: Progress,
): Promise<Tried | { tooFew: Verdict }> {
  const seen = released?.trainedOn.months ?? [];
  const told = {
    trees: trees(progress, 'rehearsal'),
    forecasts: () => tell(progress, 'forecasts'),
  };
  let tried: Tried | undefined;
  for (let fewest = FEWEST_FLIGHTS; ;) {
    tell(progress, 'history');
    const held = await holdBack(months, seen, deps.outcomesOf, fewest);
    if (tried && held.flights < fewest) return tried;
    const tooFew = tooFewToTell(held);
    if (tooFew) return { tooFew };
    tried = await rehearse(held, released, deps, told);
    if (tried.trial.candidate.n >= FEWEST_FLIGHTS) return tried;
    fewest = held.flights + 1;
  }
}

type Candidate = { trial: Trial; verdict: Verdict; released: ReleasedModel | undefined };

/** Trains on everything, and releases what came of it unless it knows less than the released model. */
async function finish(
  { trial, verdict, released }: Candidate,
  { until, acceptsRegional }: RetrainRequest,
  deps: RetrainDeps,
  progress: Progress,
): Promise<Retrained> {
  tell(progress, 'whole history');
  const knowledge = await deps.knowledgeAsOf(until);
  const bytes = deps.train(knowledge, metricsOf(trial), trees(progress, 'model'));
  const { trainedOn } = deps.openModel(bytes).metadata;
  const last = judgeBreadth(verdict, trainedOn, released?.trainedOn, acceptsRegional);
  return { ...(last.isReleased && { bytes }), verdict: last, trial, trainedOn };
}

function tell(progress: Progress, stage: (typeof STAGES)[number], what: string = stage): void {
  progress(STAGES.indexOf(stage), STAGES.length, what);
}

function trees(progress: Progress, stage: (typeof STAGES)[number]): TreeProgress {
  return (done, most) => tell(progress, stage, `${stage}: tree ${done} of at most ${most}`);
}

/** What the card says of the rehearsal. */
function metricsOf({ months, candidate, score }: Trial): ModelMetadata['metrics'] {
  return { testedOn: months, ...candidate, ...(score && { score }) };
}
