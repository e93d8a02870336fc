import type { Progress } from '../../warehouse/progress.ts';
import type { JudgedImport } from './judge-import.ts';
import type { ModelCard } from './model-folder.ts';
import type { Verdict } from './release-verdict.ts';
import type { Trial } from './trial.ts';

/** The result of an import, whether or not the model was released. */
export type ImportReport = Verdict & {
  version: string;
  trial: Trial;
  /** Median time of a call with 24 rows, in ms. */
  callMs: number;
};

export type ImportDeps = {
  /** Judges the file in another process. */
  judge: (progress: Progress) => Promise<JudgedImport>;
  /** Makes the model the released one; returns its version. */
  release: (model: { bytes: Uint8Array; card: ModelCard }) => Promise<string>;
  /** Stores the model without releasing it, so that an operator can pin it; returns its version. */
  store: (model: { bytes: Uint8Array; card: ModelCard }) => Promise<string>;
  now: () => Date;
};

/** Judges and stores a model trained elsewhere, and releases it if it is better than the released model. */
export async function importModel(deps: ImportDeps, progress: Progress): Promise<ImportReport> {
  const { bytes, verdict, trial, callMs } = await deps.judge(progress);
  const card = { ...verdict, trial };
  const version = verdict.isReleased
    ? await deps.release({ bytes, card: { ...card, releasedAt: deps.now().toISOString() } })
    : await deps.store({ bytes, card });
  return { ...verdict, version, trial, callMs };
}
