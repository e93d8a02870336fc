import { readChoice } from '../../../pipelines/model/choice.ts';
import { listModels, type StoredModel } from '../../../pipelines/model/model-folder.ts';
import { findModel } from '../../../pipelines/model/released-model.ts';
import type { TrainReport } from '../../../pipelines/model/train-step.ts';
import type { Trial } from '../../../pipelines/model/trial.ts';
import type { Coverage } from '../../../models/onnx/metadata.ts';
import { ledgerFiles, newestRuns } from '../../../warehouse/lake/ledger.ts';
import type { DataPaths } from '../../../warehouse/paths.ts';
import { readFromDisk } from '../../../warehouse/store/disk.ts';
import { countOf, span, table } from '../tables.ts';
import { moment } from '../../../warehouse/ground/duration.ts';

/** A training, from the ledger. */
export type TrainingStatus = {
  at: string;
  outcome: 'released' | 'refused' | 'failed';
  /** The reason of the release or refusal, or the error. */
  why: string;
} & Partial<Pick<TrainReport, 'version' | 'months' | 'coverage' | 'trial'>>;

/** What `make model` shows. With `JSON=1`, the command prints this object. */
export type Models = {
  /** Version in the current store on disk. */
  served: string | null;
  /** Version that the next publish uses. */
  next: string | null;
  pinned: string | null;
  /** Versions that an operator rolled back from. */
  withdrawn: string[];
  /** The models that can be published. The newest released model is first, the bundled model last. */
  models: StoredModel[];
  /** The trainings; the newest is first. */
  trainings: TrainingStatus[];
};

const TRAININGS_SHOWN = 10;

/** Collects the models and trainings from the files under DATA_DIR. */
export async function collectModels(paths: DataPaths): Promise<Models> {
  const { modelsDir, storeDir } = paths;
  const store = await readFromDisk(storeDir).catch(() => undefined);
  const { pinned, withdrawn } = await readChoice(modelsDir);
  const runs = await newestRuns(ledgerFiles(paths), ['train'], TRAININGS_SHOWN);
  return {
    served: store?.manifest.model?.version ?? null,
    next: (await findModel(modelsDir)).model?.version ?? null,
    pinned: pinned ?? null,
    withdrawn,
    models: await listModels(modelsDir),
    trainings: runs.toReversed().map(({ finishedAt, error, detail }) => {
      const report = detail as TrainReport | undefined;
      if (!report) return { at: finishedAt, outcome: 'failed', why: error ?? '' };
      const { isReleased, why, version, months, coverage, trial } = report;
      return {
        at: finishedAt,
        outcome: isReleased ? 'released' : 'refused',
        why,
        months,
        ...(version !== undefined && { version }),
        ...(coverage && { coverage }),
        ...(trial && { trial }),
      };
    }),
  };
}

const HEAD = ['state', 'months', 'trained on', 'tested on', 'AUC', 'skill', 'Brier', 'previous'];

/** Formats the models and trainings for a terminal. */
export function modelsText(all: Models): string {
  const models = all.models.map((model) => [
    model.version,
    stateOf(model, all),
    model.trainedOn ? span(model.trainedOn.months) : (model.refused ?? ''),
    coverageText(model.trainedOn?.coverage),
    ...trialCells(model.card?.trial),
  ]);
  const trainings = all.trainings.map(({ at, outcome, version, months, coverage, trial }) => [
    moment(at),
    version === undefined ? outcome : `${outcome} ${version}`,
    span(months ?? []),
    coverageText(coverage),
    ...trialCells(trial),
  ]);
  const reasons = all.trainings.map(({ at, why }) => `${moment(at)}  ${why}`);
  const parts = [
    table(['model', ...HEAD], models),
    ...(trainings.length === 0
      ? ['No training yet. The nightly run trains after new months; to train now: make train']
      : [table(['training', ...HEAD], trainings), reasons.join('\n')]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function stateOf(
  { version, origin, refused, isCardDamaged }: StoredModel,
  { served, next, pinned, withdrawn }: Models,
): string {
  const isPinned = pinned === version || (pinned === 'bundled' && origin === 'bundled');
  const states = [
    ...(version === served ? ['served'] : []),
    ...(version === next && version !== served ? ['next publish'] : []),
    ...(isPinned ? ['pinned'] : []),
    ...(withdrawn.includes(version) ? ['withdrawn'] : []),
    ...(refused === undefined ? [] : ['unusable']),
    ...(isCardDamaged ? ['card damaged'] : []),
    origin,
  ];
  return states.join(', ');
}

function coverageText(coverage: Coverage | undefined): string {
  if (!coverage) return '';
  const { flights, airports, carriers } = coverage;
  return `${countOf(flights, 'flight')}, ${airports} airports, ${carriers} airlines`;
}

/**
 * Formats the trial of a model. The last cell is the Brier score of the model that was released at the time of the
 * trial. Both models forecast the same flights.
 */
function trialCells(trial: Trial | undefined): string[] {
  if (!trial) return ['', '', '', '', ''];
  const { months, candidate, previous } = trial;
  return [
    `${countOf(candidate.n, 'flight')}, ${months.at(0)} to ${months.at(-1)}`,
    candidate.auc.toFixed(3),
    candidate.skill.toFixed(3),
    candidate.brier.toFixed(5),
    previous?.brier.toFixed(5) ?? '',
  ];
}
